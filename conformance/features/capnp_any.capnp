@0xd4f12b9e6a7c360c;
# What a pointer leads to is kept as it is.

struct Message {
  any @0 :AnyPointer;
}
