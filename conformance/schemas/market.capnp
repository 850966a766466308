@0xd4f12b9e6a7c3585;
# A small trading venue: the messages of its market data feed and of its account service.

enum Side {
  # Who takes the initiative.
  buy @0;
  sell @1;
}

struct Conditions {
  # What is to be known about a trade beyond its price.
  opening @0 :Bool;
  closing @1 :Bool;
  late @2 :Bool;
  cancelled @3 :Bool;
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
  price @3 :Int64;
  size @4 :UInt64;
  # Nanoseconds since 1970-01-01 UTC.
  entered @5 :UInt64;

  kind :union {
    # How the order may trade.
    limit @6 :Void;
    market @7 :Void;
    # The price at which it becomes a market order.
    stop @8 :Int64;
  }
}

struct Trade {
  # Two parties have traded.
  sequence @0 :UInt64;
  time @1 :UInt64;
  instrument @2 :UInt32;
  # In units of the instrument's tick.
  price @3 :Int64;
  size @4 :UInt64;
  aggressor @5 :Side;
  conditions @6 :Conditions;
  buyOrder @7 :UInt64;
  sellOrder @8 :UInt64;
}

struct Quote {
  # The best prices of an instrument.
  sequence @0 :UInt64;
  time @1 :UInt64;
  instrument @2 :UInt32;
  bid @3 :Level;
  ask @4 :Level;
}

struct OrderBook {
  # All that is offered, best prices first.
  sequence @0 :UInt64;
  time @1 :UInt64;
  instrument @2 :UInt32;
  symbol @3 :Text;
  volatility @4 :Float64 = nan;
  bids @5 :List(Level);
  asks @6 :List(Level);
}

struct Account {
  id @0 :UInt64;
  name @1 :Text;
  orders @2 :List(Order);
  balances @3 :List(Balance);

  struct Balance {
    # ISO 4217, or the venue's own code of a token.
    currency @0 :Text;
    # In millionths.
    amount @1 :Int64;
    reserved @2 :Int64;
  }
}

struct Message {
  # What the feed sends.
  union {
    trade @0 :Trade;
    quote @1 :Quote;
    book @2 :OrderBook;
    account @3 :Account;
  }
}
