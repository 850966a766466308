@0xd4f12b9e6a7c360a;
# A record without bytes of its own.

struct Message {
  size :group {
    width @0 :UInt16;
    height @1 :UInt16;
  }
}
