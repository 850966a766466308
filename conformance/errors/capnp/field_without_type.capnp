@0xa1c0ffee000000aa;

struct Order {
  price @0;
}
