@0xd4f12b9e6a7c3601;
# A number: what the other features are compared with.

struct Message {
  number @0 :UInt32;
}
