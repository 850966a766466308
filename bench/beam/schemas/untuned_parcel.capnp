@0xb2a4d37c51e08f96;
# Shapes like those of the tuned messages that nobody tuned for.

struct Scan {
  parcel @0 :UInt64;
  depot @1 :UInt16;
  belt @2 :Int8;
  grams @3 :UInt32;
  height @4 :Int16;
  width @5 :Int16;
  depth @6 :Int16;
}

struct Label {
  sender @0 :Text;
  receiver @1 :Text;
  urgent @2 :Bool;
}

struct Route {
  name @0 :Text;
  stops @1 :List(Stop);

  struct Stop {
    place @0 :Text;
    minute @1 :UInt16;
    gates @2 :List(Gate);
    kind @3 :Kind;
  }

  struct Gate {
    code @0 :Text;
    open @1 :Bool;
  }

  enum Kind {
    shop @0;
    locker @1;
    door @2;
  }
}
