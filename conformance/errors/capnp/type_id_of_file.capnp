@0xa1c0ffee000000aa;

struct Order @0xa1c0ffee000000aa {}
