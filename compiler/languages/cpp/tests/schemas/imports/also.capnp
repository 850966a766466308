@0xa93fc509624c72d3;
using Base = import "base.capnp";
struct Quote { bid @0 :Base.Level; ask @1 :Base.Level; }
