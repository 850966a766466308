@0xa1c0ffee000000aa;

const offset :Int32 =-5;
