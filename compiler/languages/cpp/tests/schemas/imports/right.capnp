@0xa93fc509624c72d5;
using Left = import "left.capnp";
struct Leaf { plain @0 :Left.Plain; colour @1 :Left.Colour = blue; }
struct Node { back @0 :Left.Node; s @1 :Text; grp :group { nodes @2 :List(Left.Node); x @3 :Left.Plain; } }
