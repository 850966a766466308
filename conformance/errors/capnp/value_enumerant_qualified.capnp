@0xa1c0ffee000000aa;

enum Side {
  buy @0;
  sell @1;
}

struct Order {
  side @0 :Side = Side.sell;
}
