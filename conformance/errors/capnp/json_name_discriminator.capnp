@0xa1c0ffee000000aa;

using Json = import "/capnp/compat/json.capnp";

struct Order $Json.discriminator(name = "kind") {
  kind @0 :Text;
  union {
    market @1 :Void;
    limit @2 :Float64;
  }
}
