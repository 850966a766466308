@0xa1c0ffee000000aa;

using Money = import "mony.capnp";
