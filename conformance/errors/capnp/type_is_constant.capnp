@0xa1c0ffee000000aa;

const money :Int32 = 1;

struct Order {
  price @0 :money;
}
