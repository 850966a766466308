@0xd4f12b9e6a7c3604;
# Names of numbers.

struct Message {
  side @0 :Side;
}

enum Side { buy @0; sell @1; }
