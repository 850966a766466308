@0xf0c1a9be32d74a02;
using Left = import "left.capnp";

enum Side {
  buy @0;
  sell @1;
}

struct Price {
  amount @0 :Int64;
  side @1 :Side;
  of @2 :Left.Account;
  inner @3 :Left.Account.Inner;
  notes @4 :Left.Box(Data);
  kind :union {
    open @5 :Void;
    until @6 :UInt32;
  }
}

struct Pair(T) {
  a @0 :T;
  b @1 :T;
}
