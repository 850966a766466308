@0xa1c0ffee000000aa;

annotation unit (field) :Text;

struct Order $unit("EUR") {}
