@0xa1c0ffee000000aa;

struct Order {
  unit_price @0 :Int32;
}
