@0xb1f4a2c3d4e5f607;

struct Quote {
  symbol @0 :Text;
  bid @1 :Float64;
  ask @2 :Float64;
  union {
    open @3 :Void;
    halted @4 :Text;
  }
}
