@0xa1c0ffee000000aa;

using Json = import "/capnp/compat/json.capnp";

struct Order {
  id @0 :UInt64;
  details :union {
    none @1 :Void;
    parent @2 :Parent $Json.flatten(prefix = "parent_");
  }
}

struct Parent {
  reason @0 :Text;
  union {
    none @1 :Void;
    order @2 :Line $Json.flatten(prefix = "order_");
  }
}

struct Line {
  parent @0 :Parent $Json.flatten();
}
