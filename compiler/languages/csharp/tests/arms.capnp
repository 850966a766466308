@0xb6a1f3c07d5e9a24;

enum Shade { light @0; dark @1; }

struct Figure {
  union {
    radius @0 :Float64 = 1.5;
    sides @1 :UInt32;
    shade @2 :Shade;
    open @3 :Bool;
    nothing @4 :Void;
    held @5 :Text;
  }
  place :union {
    near @6 :Int8;
    far @7 :UInt64;
  }
}
