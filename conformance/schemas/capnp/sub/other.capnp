@0xa1c0ffee00000077;
using Self = import "other.capnp";
struct G(T) { v @0 :T; struct In(U) { a @0 :T; b @1 :U; } using Al = In(T); const k :Int32 = 7; annotation an(*) :Int32; enum E { x @0; y @1; } interface If { m @0 (a :T) -> (b :T); } using L = List(In(T)); }
using GT = G(Text);
using GI = GT.In;
using GA = G(Data).Al;
const k :Int64 = 300;
const st :G(Text) = (v = "x");
struct P { u :union { a @0 :Int8 = 4; b @1 :Text; } }
enum Out { p @0; q @1; }
