@0xa1c0ffee000000aa;

struct Order {
  price @0 :Int32;
  union {
    price @1 :Int64;
    none @2 :Void;
  }
}
