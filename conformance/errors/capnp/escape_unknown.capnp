@0xa1c0ffee000000aa;

const path :Text = "C:\qux";
