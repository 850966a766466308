@0xbf5147cbbecf40c3;

struct Choice {
  union {
    flags @0 :List(Bool);
    any @1 :AnyPointer;
  }
}
