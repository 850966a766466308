@0xa1c0ffee00000139;
using Json = import "/capnp/compat/json.capnp";
struct Root {
  tree @0 :Tree;
  list @1 :List(Tree);
  shape @2 :Shape $Json.flatten(prefix = "sh \"ape\"\n") $Json.name("ignored");
  pick @3 :Pick;
  picks @4 :List(Pick) $Json.name("é€\t");
  deep @5 :A $Json.flatten(prefix = "A");
  nothing @6 :Empty $Json.flatten(prefix = "none");
  hollow @7 :Hollow $Json.flatten();
  hex @8 :Data $Json.hex;
  only @9 :Only $Json.flatten(prefix = "o");
  onlys @10 :List(Only);
  lists @11 :List(List(List(Hexes)));
  arms :union $Json.flatten(prefix="x") $Json.discriminator(name="t") {
    one @12 :P $Json.flatten();
    two @13 :Q $Json.flatten();
    three :group $Json.flatten(prefix = "3") { p @14 :Float32; q @15 :Bool $Json.name("Q"); }
    missing @16 :Empty $Json.flatten();
    four @17 :Empty;
    unknown @18 :Data $Json.base64;
  }
  plain :union { v0 @19 :P $Json.flatten(prefix="v0"); v1 @20 :P $Json.flatten(prefix="v1"); v2 @21 :Void $Json.name("nul"); }
  members @22 :Text;
  prefix @23 :List(Kind);
  told @24 :Kind;
}
enum Kind { missing @0; a @1 $Json.name("undefined"); unknown @2 $Json.name("it's \"so\""); }
struct Hexes { h @0 :Data $Json.hex; b @1 :Data $Json.base64; hs @2 :List(Data); u :union { x @3 :Data $Json.hex; y @4 :Data $Json.base64; z @5 :Data; } n @6 :Float64; k @7 :Kind $Json.name("h2"); }
struct P { p @0 :UInt8; r @1 :Text; k @2 :Kind; }
struct Q { p @0 :Text; s @1 :List(UInt64); }
struct Empty {}
struct Bare { union { y @0 :UInt8; z @1 :UInt8; } after @2 :Text $Json.name(""); }
struct Hollow { e @0 :Empty $Json.flatten(prefix = "e"); }
struct Tree { kids @0 :List(Tree) $Json.name("children"); p @1 :P $Json.flatten(prefix = "p_"); left @2 :Tree; hollow @3 :Hollow $Json.flatten(prefix = "h"); }
struct Shape $Json.discriminator(name = "type", valueName = "value") {
  name @0 :Text;
  union {
    circle @1 :Float64;
    square @2 :Float32 $Json.name("SQUARE");
    void @3 :Void;
    data @4 :Data $Json.hex;
    tree @5 :Tree $Json.flatten(prefix = "t");
    group :group $Json.flatten(prefix="g") { a @6 :Int8; b @7 :Int64; }
    texts @8 :List(Text);
    kind @9 :Kind;
    empty @10 :Empty;
    def @11 :Data = 0x"01 02" $Json.base64;
  }
}
struct Pick $Json.discriminator(name = "pick") { union { none @0 :Void; num @1 :UInt32; shape @2 :Shape $Json.flatten(prefix = "."); other @3 :Pick; p @4 :P; } }
struct Only { union { a @0 :Void; b @1 :P $Json.flatten(prefix = "b"); c @2 :List(Only); } }
struct A { b @0 :B $Json.flatten(prefix = "B"); c @1 :B $Json.flatten(prefix = "C"); root @2 :Root; }
struct B { c @0 :C $Json.flatten(prefix = "C"); }
struct C { union { x @0 :Int32 = 7; y @1 :Text = "yy"; } d @2 :Only $Json.flatten(prefix = "D"); }
