@0xb7c3f5a9d2e84617;
# Seven integers: most of what is measured is what a message costs by itself.

struct Tick {
  sequence @0 :UInt64;
  time @1 :Int64;
  instrument @2 :UInt32;
  price @3 :Int64;
  size @4 :UInt32;
  side @5 :UInt8;
  flags @6 :UInt16;
}
