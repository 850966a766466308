@0x21c0ffee000000aa;

struct Order {}
