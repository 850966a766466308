@0xa1c0ffee000000aa;

struct Money {
  value @0 :Int64;
  unit @1 :Text;
}

const price :Money = (5, "EUR");
