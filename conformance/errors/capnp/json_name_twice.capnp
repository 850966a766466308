@0xa1c0ffee000000aa;

using Json = import "/capnp/compat/json.capnp";

struct Order {
  price @0 :Float64;
  union {
    market @1 :Void;
    limit @2 :Float64 $Json.name("price");
  }
}
