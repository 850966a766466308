@0xa1c0ffee000000aa;

const limit :Int32 = 5;

const double :Int32 = limit;
