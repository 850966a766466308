@0xa1c0ffee000000aa;

const a :Int32 = .b;
const b :Int32 = .a;
