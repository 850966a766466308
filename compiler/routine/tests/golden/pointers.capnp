@0xbf5147cbbecf40c1;

struct Tree {
  size @0 :UInt16 = 7;
  name @1 :Text;
  children @2 :List(Tree);
  union {
    flags @3 :List(Bool);
    any @4 :AnyPointer;
  }
}
