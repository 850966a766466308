# Names that hold words with which generators make code.
@0xd2a39b54e1f0c768;

struct MarketDepth { price @0 :UInt64; depth @1 :List(Text); }

struct Book {
  sides @0 :List(List(MarketDepth));
  marketDepth @1 :List(List(UInt32));
  depthBudget @2 :List(List(List(MarketDepth)));
  union {
    husband @3 :Text;
    path @4 :List(List(Data));
  }
}
