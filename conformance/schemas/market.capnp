@0x9f3b6c1d2e8a4705;
# A small trading venue: the messages of its market data feed and of its account service.

enum Side {
  # Who takes the initiative.
  buy @0;
  sell @1;
}

struct Level {
  # One price with everything that is offered at it.
  price @0 :Int64;
  size @1 :UInt64;
  orders @2 :UInt32 = 1;
}

struct Order {
  id @0 :UInt64;
  symbol @1 :Text;
  side @2 :Side;
  size @3 :UInt64;
  entered @4 :UInt64;
  # Nanoseconds since 1970.

  type :union {
    # How the order may trade.
    market @5 :Void;
    limit @6 :Int64;
    stop :group {
      trigger @7 :Int64;
      limit @8 :Int64;
    }
  }

  hidden @9 :Bool;
}

struct Trade {
  # Two parties have traded.
  id @0 :UInt64;
  symbol @1 :Text;
  price @2 :Int64;
  size @3 :UInt64;
  aggressor @4 :Side;
  late @5 :Bool;
  buyer @6 :Party;
  seller @7 :Party;
}

struct Party(Detail) {
  # Generic, so that each venue can say more of those who trade.
  name @0 :Text;
  detail @1 :Detail;
}

struct Book {
  # Everything that is offered.
  symbol @0 :Text;
  bids @1 :List(Level);
  asks @2 :List(Level);
}

struct Event {
  # What the feed sends.
  sequence @0 :UInt64;
  union {
    entered @1 :Order;
    traded @2 :Trade;
    book @3 :Book;
    halted @4 :Text;
  }
}
