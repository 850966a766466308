@0xa1c0ffee000000aa;

struct Order {
  price :group {
    struct Money {}
    value @0 :Int32;
  }
}
