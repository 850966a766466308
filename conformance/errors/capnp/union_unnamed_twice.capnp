@0xa1c0ffee000000aa;

struct Order {
  union { a @0 :Void; b @1 :Void; }
  union { c @2 :Void; d @3 :Void; }
}
