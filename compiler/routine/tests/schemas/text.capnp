@0xbf5147cbbecf40c1;

struct Named {
  size @0 :UInt16 = 7;
  name @1 :Text;
}
