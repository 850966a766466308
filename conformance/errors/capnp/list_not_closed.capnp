@0xa1c0ffee000000aa;

const sizes :List(Int32) = [1, 2;
