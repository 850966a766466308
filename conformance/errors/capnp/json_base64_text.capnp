@0xa1c0ffee000000aa;

using Json = import "/capnp/compat/json.capnp";

struct Order {
  key @0 :Text $Json.base64;
}
