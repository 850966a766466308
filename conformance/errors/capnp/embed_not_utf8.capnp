@0xa1c0ffee000000aa;

const name :Text = embed "imports/latin1.capnp";
