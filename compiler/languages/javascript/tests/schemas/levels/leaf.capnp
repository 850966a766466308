@0xb1c9f5a1d2e3c4b1;

struct Leaf {
  x @0 :UInt32;
  mid @1 :Mid;
}

struct Mid {
  y @0 :UInt32;
}
