@0xa1c0ffee000000aa;

struct Order {
  Price @0 :Int32;
}
