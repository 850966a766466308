@0xa1c0ffee000000aa;

const small :Float64 = 1.5e;
