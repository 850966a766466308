@0xd4f12b9e6a7c3603;
# A bit.

struct Message {
  urgent @0 :Bool;
}
