@0xb2a3c4d5e6f70819;

struct Outer {
  inner @0 :Inner;
}

struct Inner {
  number @0 :UInt32;
  note @1 :Text;
}
