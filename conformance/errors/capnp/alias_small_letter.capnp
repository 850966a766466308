@0xa1c0ffee000000aa;

using money = Money;

struct Money {}
