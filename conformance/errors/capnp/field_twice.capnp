@0xa1c0ffee000000aa;

struct Order {
  price @0 :Int32;
  price @1 :Int64;
}
