@0xa1c0ffee000000aa;

const greeting :Text = "hello;
