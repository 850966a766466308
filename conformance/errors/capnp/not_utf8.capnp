@0xa1c0ffee000000aa;

const name :Text = "café";
