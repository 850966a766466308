@0xbf5147cbbecf40c2;

struct Tree {
  children @0 :List(Tree);
}
