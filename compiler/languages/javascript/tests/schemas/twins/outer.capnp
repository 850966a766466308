@0xb1c9f5a1d2e3c4b4;

using L = import "inner/box.capnp";

struct Box(T) {
  w @0 :T;
}

struct Root {
  a @0 :Box(Text);
  b @1 :L.Box(Text);
  plain @2 :L.Plain;
}
