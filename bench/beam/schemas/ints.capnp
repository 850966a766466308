@0xa6d0f1e2b3c49587;
# Seven integers, of 32 bytes.

struct Ints {
  a @0 :UInt64;
  b @1 :Int64;
  c @2 :UInt32;
  d @3 :Int32;
  e @4 :UInt16;
  f @5 :Int16;
  g @6 :UInt8;
}
