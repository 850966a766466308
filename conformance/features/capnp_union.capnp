@0xd4f12b9e6a7c360b;
# A choice of a number and of nothing.

struct Message {
  union {
    amount @0 :Int64;
    nothing @1 :Void;
  }
}
