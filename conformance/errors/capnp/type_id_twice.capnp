@0xa1c0ffee000000aa;

struct Order @0xa1c0ffee00000001 {}

struct Trade @0xa1c0ffee00000001 {}
