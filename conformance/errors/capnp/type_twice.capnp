@0xa1c0ffee000000aa;

struct Order {}

enum Order {}
