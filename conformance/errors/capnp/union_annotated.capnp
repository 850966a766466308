@0xa1c0ffee000000aa;

struct Order {
  union $note("x") {
    a @0 :Void;
    b @1 :Void;
  }
}

annotation note (*) :Text;
