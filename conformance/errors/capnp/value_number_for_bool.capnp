@0xa1c0ffee000000aa;

struct Order {
  open @0 :Bool = 1;
}
