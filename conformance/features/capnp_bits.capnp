@0xd4f12b9e6a7c3607;
# Bits behind a pointer.

struct Message {
  bits @0 :List(Bool);
}
