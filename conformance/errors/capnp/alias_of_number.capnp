@0xa1c0ffee000000aa;

using Five = 5;
