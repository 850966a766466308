@0xa1c0ffee000000ac;

struct Money {
  value @0 :Int64 = ;
}
