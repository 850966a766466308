@0xa1c0ffee000000aa;

struct Money {
  value @0 :Int64;
}

const price :Money = (value = 5, value = 6);
