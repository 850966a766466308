@0xa1c0ffee000000aa;

const bell :Text = "\x7";
