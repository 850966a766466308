@0xa1c0ffee000000aa;

struct Money {}

struct Order $Money {}
