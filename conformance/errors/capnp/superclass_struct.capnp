@0xa1c0ffee000000aa;

struct Money {}

interface Desk extends(Money) {}
