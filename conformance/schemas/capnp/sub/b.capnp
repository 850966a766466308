@0xa1c0ffee00000082;
using C = import "../needed.capnp";
struct Box(T) { v @0 :T; struct NotUsed {} }
struct Unused { c @0 :C.Far2; }
struct Deep { struct Deeper { c @0 :C.Far; } d @0 :Deeper; }
