@0xa1c0ffee000000aa;

using Json = import "/capnp/compat/json.capnp";

enum Side {
  buy @0 $Json.name("sell");
  sell @1;
}
