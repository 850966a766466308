@0xa1c0ffee000000aa;

const high :Text = "\777";
