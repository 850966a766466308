@0xa1c0ffee00000039;
using Json = import "/capnp/compat/json.capnp";
struct T {
  a @0 :UInt64 $Json.name("A A");
  g :group $Json.flatten() { x @1 :Text; y @2 :UInt8 $Json.name("why"); }
  h :group $Json.flatten(prefix = "h_") { x @3 :Text; union { p @4 :UInt8; q @5 :Text; v @6 :Void; } }
  s @7 :S $Json.flatten(prefix = "s.");
  u :union $Json.flatten() $Json.discriminator(name = "kind") { a1 @8 :Text; b1 @9 :UInt32; c1 @10 :Void; d1 :group { z @11 :UInt8; } }
  w :union $Json.discriminator(name = "kindw", valueName = "val") { a2 @12 :Text; b2 @13 :UInt32; c2 @14 :Void; d2 :group { z @15 :UInt8; } }
  n :union $Json.discriminator() { a3 @16 :Text; b3 @17 :UInt32; }
  f :union $Json.flatten(prefix="f_") $Json.discriminator(name="k", valueName="v") { a4 @18 :Text $Json.name("AAA"); b4 @19 :UInt32; }
  d @20 :Data $Json.base64;
  e @21 :Data $Json.hex;
  en @22 :E;
  ld @23 :List(Data);
  m :union $Json.flatten(prefix="m_") $Json.name("mm") { a5 @24 :Text; b5 @25 :UInt8; }
}
struct S $Json.discriminator(name = "type") { k @0 :Text; union { s1 @1 :Text; s2 @2 :UInt8; s3 @3 :Void; } }
enum E { one @0 $Json.name("ONE"); two @1; }
