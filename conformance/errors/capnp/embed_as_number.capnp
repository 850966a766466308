@0xa1c0ffee000000aa;

const logo :Int32 = embed "embed_as_number.capnp";
