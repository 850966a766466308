@0xa1c0ffee000000aa;

struct Order {
  kind :union {
    a @0 :Void;
    union { c @1 :Void; d @2 :Void; }
  }
}
