@0xa1c0ffee000000aa;

struct Money {
  value @0 :Int64;
}

const price :Money = embed "embed_no_message.capnp";
