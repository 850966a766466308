@0xa1c0ffee000000ad;

struct Money {
  # café
  value @0 :Int64;
}
