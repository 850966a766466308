@0xf0c1a9be32d74a01;
using Right = import "right.capnp";

struct Account {
  owner @0 :Text;
  price @1 :Right.Price;
  history @2 :List(Right.Price);
  side @3 :Right.Side;
  named @4 :Box(Text);
  other @5 :Right.Pair(Account);
  union {
    none @6 :Void;
    best @7 :Right.Price = (amount = 5, side = sell);
  }

  struct Inner {
    x @0 :UInt8;
  }
}

struct Box(T) {
  value @0 :T;
}
