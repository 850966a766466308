@0xa1c0ffee000000aa;

const month :UInt8 = 08;
