@0xb1c9f5a1d2e3c4b2;

using L = import "leaf.capnp";

struct Tree {
  next @0 :Tree;
  leaf @1 :L.Leaf;
}
