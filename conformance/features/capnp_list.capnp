@0xd4f12b9e6a7c3606;
# Numbers behind a pointer.

struct Message {
  sizes @0 :List(UInt32);
}
