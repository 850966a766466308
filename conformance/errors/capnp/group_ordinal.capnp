@0xa1c0ffee000000aa;

struct Order {
  kind @0 :group {
    a @1 :Void;
  }
}
