@0xa1c0ffee000000aa;

struct Money {
  union {
    cents @0 :Int64;
    free @1 :Void;
  }
}

const price :Money = (cents = 5, free = void);
