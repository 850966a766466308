@0xa1c0ffee000000aa;

struct Order {
  count @0 :UInt8 = -1;
}
