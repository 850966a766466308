@0xb1c2d3e4f5a60718;

struct Wide {
  signed @0 :Int64 = -77;
  unsigned @1 :UInt64 = 88;
  list @2 :List(Int64);
}
