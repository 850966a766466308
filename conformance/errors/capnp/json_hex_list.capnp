@0xa1c0ffee000000aa;

using Json = import "/capnp/compat/json.capnp";

struct Order {
  keys @0 :List(Data) $Json.hex;
}
