@0xa1c0ffee000000aa;

struct Order {
  price @0 :Money.Curency;
}

struct Money {
  enum Currency { eur @0; }
}
