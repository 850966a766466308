# top doc
@0xa1c0ffee00000081;
# file doc

# second
using B = import "sub/b.capnp";
using X = import "/x/x.capnp";
using import "sub/b.capnp".Deep;
struct Plain {}
struct Outer(T) {   # trailing
  # doc of Outer
  #second
  using Pl = Plain;
  using Sf = Outer;
  using Tt = T;
  using Bx = B.Box(T);
  using BxI = Inner;
  a @0 :Pl;
  b @1 :Sf;
  c @2 :Tt;   # doc c
  # more c

  # not doc
  d @3 :Bx;
  e @4 :Inner;
  f @5 :Outer;
  g @6 :BxI;
  h @7 :Inner2(Text);
  i @8 :Outer(Data).Inner;
  j @9 : .Outer(Data).Inner2(Text);
  k @10 :List(List(B.Box(List(B.Box(T)))));
  struct Inner { x @0 :T; y @1 :Inner; z @2 :Outer.Inner; w @3 :Inner2; g :group { q @4 :T; } }
  struct Inner2(U) { x @0 :T; y @1 :U; }
  enum En { a @0; }
  en @11 :En;
  using EnA = En;
  en2 @12 :EnA;
  annotation ann(*) :Void;
  l @13 :Text $ann;
}
struct Use {
  a @0 :Outer(Text).Pl;
  b @1 :Outer(Text).Sf;
  c @2 :Outer(Text).Tt;
  d @3 :Outer(Text).Bx;
  e @4 :Outer(Text).BxI;
  f @5 :Outer(Text).En;
  g @6 :Outer(Text).EnA;
  h @7 :Outer.Tt;
  i @8 :Outer.Bx;
  j @9 :Outer.Inner;
  k @10 :X.Thing;
  l @11 :Deep;
  m @12 :Text $Outer(Text).ann;
  using Loc = Outer(Text);
  n @13 :Loc.Inner2(Data);
  o @14 :Loc;
  using Loc2 = Outer;
  p @15 :Loc2(Text);
  q @16 :Loc2(Text).Inner;
}
interface Svc(T) {
  m0 @0 [X, Y] (x :X, y :Y, t :T) -> (o :Outer(X), l :List(Outer(Y)));
  m1 @1 [X] Outer(X) -> Outer(T);
  m2 @2 (a :Text) -> stream;
}
struct WithAnn { x @0 :Text $X.mark("a"); union { a @1 :Int8 $X.mark("b"); g :group $X.mark("g") { q @2 :Int8; r @3 :Int8; } } u :union $X.mark("u") { m @4 :Int8; n @5 :Int8; } }
# Annotations whose values have the type that a parameter of the scope around them is bound to.
struct Notes(T) {
  annotation note(struct, field) :T;
  annotation pair(struct) :NotesPair(T);
  struct Inner(U) { annotation both(struct) :NotesPair(U); annotation outer(struct) :T; }
}
struct NotesPair(T) { it @0 :T; count @1 :UInt8; }
struct NotedText $Notes(Text).note("x") { x @0 :UInt8 $Notes(Data).note(0x"01 02"); }
struct NotedStruct $Notes(NotesPair(Text)).note(it = "y", count = 3) {}
struct NotedPair $Notes(Text).pair(it = "z", count = 4) $Notes(List(UInt8)).pair(it = [1, 2]) {}
struct NotedInner $Notes(Text).Inner(Data).both(it = 0x"03") $Notes(Text).Inner(Data).outer("o") {}
struct NotedList $Notes(List(Text)).note(["a", "b"]) {}
