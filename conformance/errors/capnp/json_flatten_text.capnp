@0xa1c0ffee000000aa;

using Json = import "/capnp/compat/json.capnp";

struct Order {
  note @0 :Text $Json.flatten(prefix = "note_");
}
