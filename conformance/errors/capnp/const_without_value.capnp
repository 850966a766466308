@0xa1c0ffee000000aa;

const limit :Int32;
