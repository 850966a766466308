# With right.capnp, imports in a circle: their nodes hold one another.
@0xa93fc509624c72d4;
using Right = import "right.capnp";
enum Colour { red @0; blue @1; }
struct Node {
  v @0 :Int32;
  others @1 :List(Right.Node);
  leaf @2 :Right.Leaf;
  pick :union { none @3 :Void; far @4 :Right.Node; near @5 :Node; }
}
struct Plain { c @0 :Colour; name @1 :Text; }
