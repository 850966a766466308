@0xa1c0ffee000000aa;

@0xa1c0ffee000000ab;
