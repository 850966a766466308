@0xa1c0ffee000000aa;

using Json = import "/capnp/compat/json.capnp";

struct Node {
  name @0 :Text;
  next @1 :Node $Json.flatten(prefix = "next_");
}
