@0xd5c4a1f09b7e3628;

# Lists of all kinds, for what reads messages of one segment quickly.

enum Shade { light @0; dark @1; }

struct Item {
  id @0 :UInt32 = 7;
  name @1 :Text = "none";
  next @2 :Item;
  other @3 :Item;
}

struct Sheet {
  bits @0 :List(Bool);
  bytes @1 :Data;
  shorts @2 :List(Int16);
  texts @3 :List(Text);
  items @4 :List(Item);
  deep @5 :List(List(Item));
  shades @6 :List(Shade);
  own :group {
    note @7 :Text;
    item @8 :Item;
  }
  union {
    many @9 :List(UInt64);
    one @10 :Item;
    nothing @11 :Void;
  }
}
