@0xa1c0ffee000000aa;

const size :Int32 = 12kB;
