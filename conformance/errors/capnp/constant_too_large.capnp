@0xa1c0ffee000000aa;

const size :Int8 = .wide;

const wide :Int32 = 1000;
