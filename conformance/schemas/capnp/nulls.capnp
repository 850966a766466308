@0xa1c0ffee00000141;
# Null pointers wherever JSON can have them: elements of lists, arms of unions in structs with annotations and without.

using Json = import "/capnp/compat/json.capnp";

struct Elements {
  texts @0 :List(Text);
  data @1 :List(Data);
  lists @2 :List(List(Text));
  voids @3 :List(Void);
  capabilities @4 :List(Capability);
  next @5 :Elements;
}

struct Plain {
  union {
    text @0 :Text;
    data @1 :Data;
    list @2 :List(Text);
    record @3 :Elements;
    void @4 :Void;
    open @5 :AnyPointer;
  }
  group :group {
    union {
      first @6 :Text = "given";
      second @7 :Plain;
    }
  }
}

struct Annotated {
  number @0 :UInt8 $Json.name("no");
  union {
    text @1 :Text;
    data @2 :Data;
    base64 @3 :Data $Json.base64;
    hex @4 :Data $Json.hex;
    list @5 :List(Text);
    record @6 :Elements;
    flat @7 :Plain $Json.flatten(prefix = "flat_");
    void @8 :Void;
    open @9 :AnyPointer;
  }
  told :union $Json.discriminator(name = "kind", valueName = "value") {
    toldText @10 :Text;
    toldRecord @11 :Plain;
    toldVoid @12 :Void;
    toldOpen @13 :AnyPointer;
  }
  member :union $Json.discriminator(name = "kind") {
    memberText @14 :Text;
    memberData @15 :Data $Json.base64;
    memberFlat @16 :Elements $Json.flatten();
  }
}
