@0xa1c0ffee00000094;
# Odd turns of the language that the reference accepts, one struct each.

struct Case0 {
  using O = import "sub/other.capnp";
  struct A { a @0 :O.GT; b @1 :O.GI(Data); c @2 :O.GA; d @3 :O.G(Text).L; e @4 :O.G(Text).E = y; f @5 :O.G.If; g @6 :O.GT.If; h @7 :O.Self.G(Data).Al; }
}

struct Case1 {
  using O = import "sub/other.capnp";
  struct A { a @0 :Int32 = O.k; b @1 :Int16 = O.G.k; c @2 :Int8 = O.G(Text).k; d @3 :O.G(Text) = O.st; e @4 :Text $O.G(Text).an(5); }
}

struct Case2 {
  using O = import "sub/other.capnp";
  const a :O.P = (u = (a = 4));
  const b :O.P = (u = (b = "z"));
  const c :O.P = (u = (a = 0));
  const d :O.P = ();
}

struct Case3 {
  using O = import "sub/other.capnp";
  using E2 = O.Out;
  const a :E2 = q;
  using G2 = O.G;
  struct X { a @0 :G2(Text); b @1 :G2; c @2 :G2(G2(Text)).In(Data); }
}

struct Case4 {
  using import "sub/other.capnp".G;
  struct A(T) { a @0 :G(T); b @1 :G(T).Al; c @2 :G(List(G(T))).L; }
}

struct Case5 {
  const a :Int8 = 5 $x(1);
  annotation x(const) :Int8 $y;
  annotation y(annotation) :Void;
}

struct Case6 {
  interface B(T) { m @0 (t :T); struct In { t @0 :T; } const c :Int8 = 1; }
  interface A(T) extends(B(T), C) { n @0 (i :In2, j :B(T).In) -> B(T).In; struct In2 { a @0 :T; } }
  interface C {}
}

struct Case7 {
  struct G(T) { t @0 :T; }
  interface I(U) { m @0 [X, Y] (a :List(G(X)), b :G(G(Y)), c :G(U)) -> G(X); n @1 [X] (x :G(X)) -> (y :X, z :G(X)); o @2 (u :U = null); }
}

struct Case8 {
  struct A { u @0! :union { a @1 :Int8; g :group { v @2! :union { b @3 :Int8; c @4 :Text; } d @5 :Int64; } } }
}

struct Case9 {
  struct A { u @1! :union { a @0 :Int8; b @2 :Int64; } x @3 :Bool; }
}

struct Case10 {
  struct A { union { u :union { a @0 :Int8; b @2 :Int16; } v :union { c @1 :Int32; d @3 :Int64; } } w @4 :Bool; }
}

struct Case11 {
  const a :Float32 = -0;
  const b :Float64 = -0;
  const c :Float32 = -0.0;
  const d :Float32 = 1e39;
  const e :Float32 = 9007199791611905;
  const f :Float32 = 18446744073709551615;
  const g :Float64 = 18446744073709551615;
  const h :Float32 = 16777217;
  const i :Float32 = 1e-46;
  const j :Float64 = 4.9e-324;
  const k :Float32 = 0.1;
}

struct Case12 {
  const a :Int8 = -017;
  const b :Int16 = -0x7f;
  const c :UInt8 = 0377;
  const d :Int64 = -9223372036854775808;
  const e :UInt64 = 0xFFFFFFFFFFFFFFFF;
  const f :UInt8 = -0;
}

struct Case13 {
  struct A { b @0 :Data = "a\x00\xff"; c @1 :Text = ""; d @2 :Data = ""; e @3 :List(Int8) = []; f @4 :A = (); g @5 :List(Void) = [void, void]; h @6 :List(Bool) = [true, false, true]; i @7 :List(Float32) = [1, nan, -inf]; j @8 :List(List(Text)) = [[], ["a"], [""]]; }
}

struct Case14 {
  struct A { b @0 :List(B) = [(), (x = 5), (y = "q")]; c @1 :Void = void; }
  struct B { x @0 :Int64 = 5; y @1 :Text = "q"; z @2 :B = (x = 6); }
}

struct Case15 {
  struct A(T) { const c :List(B(Text)) = [(b = "x")]; struct B(U) { a @0 :List(B(U)); b @1 :U; } b @0 :B(T); }
}

struct Case16 {
  struct A(T) { annotation an(*) :B; struct B { x @0 :T; } f @0 :Text $an(()); }
}

struct Case17 {
  struct A { b @0 :Bx; using Bx = Cx; }
  using Cx = A;
}

struct Case18 {
  struct A { n @0 :Nm; struct Nm { union { a @0 :Void; b @1 :Nm; } } }
  const c :A = (n = (b = (b = (a = void))));
}

struct Case19 {
  struct A @0xabcdabcdabcdabcd { struct B @0xabcdabcdabcdabce { } enum C @0xabcdabcdabcdabcf { a @0; } interface D @0xabcdabcdabcdabd0 { } const e @0xabcdabcdabcdabd1 :Int8 = 1; annotation f @0xabcdabcdabcdabd2 (*) :Void; }
}

struct Case20 {
  struct A { g :group { h :group { i :group { a @0 :Int8; b @3 :Text; } c @1 :Int16; } d @2 :Int32; } }
  const c :A = (g = (h = (i = (a = 1), c = 2)));
}

struct Case21 {
  struct A $x(1) { a @0 :Int8 $x(2) $x(3); g :group $x(4) { b @1 :Int8; } u :union $x(5) { c @2 :Int8 $x(6); d @3 :Int8; } }
  enum E $x(7) { a @0 $x(8); }
  interface I $x(9) { m @0 (a :Int8 $x(10)) -> (b :Int8 = 4 $x(11)) $x(12); }
  annotation x (*) :Int8;
}

struct Case22 {
  enum E { c @2; a @0; b @1; }
}

struct Case23 {
  interface I { c @2 (); a @0 (); b @1 (); }
}

struct Case24 {
  struct A { x @0 :import "sub/other.capnp".G(import "sub/other.capnp".P); }
}

struct Case25 {
  const a :Int32 = import "sub/other.capnp".k;
  const b :Int64 = (import "sub/other.capnp".k);
}

struct Case26 {
  using Json = import "/capnp/compat/json.capnp";
  struct A $Json.discriminator(name = "k") { union { a @0 :Int8 $Json.name("q"); b @1 :Data $Json.hex; } g :group $Json.flatten() { c @2 :Int8; } h @3 :Json.Value; }
}

struct Case27 {
  struct Bool {}
  struct A { a @0 :Bool; b @1 :List(Bool); }
}

struct Case28 {
  annotation x (*) :E;
  enum E { w @0; x @1; }
  struct A $x(x) {}
}

struct Case29 {
  annotation x (*) :List(Int8);
  struct A $x([1,2]) {}
}

struct Case30 {
  annotation x (*) :Text;
  struct A $x("a" "b") {}
}
