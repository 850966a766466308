@0xa93fc509624c72d2;
using Base = import "base.capnp";
struct Level {
  inner @0 :Base.Level;
  many @1 :List(Base.Level);
  side @2 :Base.Side;
  box @3 :Base.Box(Level);
  other @4 :Base.Box(Base.Level);
  sides @5 :List(Base.Side);
  lists @6 :List(List(Base.Level));
}
