@0xa1c0ffee000000aa;

struct Order {
  @0 :Int32;
}
