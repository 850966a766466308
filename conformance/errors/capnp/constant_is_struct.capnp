@0xa1c0ffee000000aa;

struct Money {}

const price :Int32 = .Money;
