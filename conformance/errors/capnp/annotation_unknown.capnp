@0xa1c0ffee000000aa;

struct Order {
  price @0 :Int32 $units("EUR");
}

annotation unit (field) :Text;
