@0xd4a1c3f2b5e60718;
# Elements without bytes, and structs that an older writer has fewer fields of.

struct Nothing {}

struct Wide {
  a @0 :Text;
  b @1 :Text;
  c @2 :Text;
  d @3 :List(Int32);
  e @4 :List(Text);
  f @5 :Data;
  g @6 :Text;
  h @7 :Text;
}

struct Many {
  nothings @0 :List(Nothing);
  voids @1 :List(Void);
  wides @2 :List(Wide);
  octets @3 :List(List(UInt8));
  texts @4 :List(Text);
  any @5 :AnyPointer;
  deeper @6 :Many;
}
