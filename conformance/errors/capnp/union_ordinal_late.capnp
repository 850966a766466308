@0xa1c0ffee000000aa;

struct Order {
  kind @2! :union {
    a @0 :Void;
    b @1 :Void;
  }
}
