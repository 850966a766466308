@0x8ef99297a43a5e34;
# How values look in JSON, and any JSON value as a struct.

$import "/capnp/c++.capnp".namespace("capnp::json");

struct Value {
  # Any JSON value.

  union {
    null @0 :Void;
    boolean @1 :Bool;
    number @2 :Float64;
    string @3 :Text;
    array @4 :List(Value);
    object @5 :List(Field);
    call @6 :Call;
    # Beyond JSON: the call of a function, as some databases write their own types.
  }

  struct Field {
    name @0 :Text;
    value @1 :Value;
  }

  struct Call {
    function @0 :Text;
    params @1 :List(Value);
  }
}

annotation name @0xfa5b1fd61c2e7c3d (field, enumerant, method, group, union) :Text;
# The key, or the enumerant's text, in JSON.

annotation flatten @0x82d3e852af0336bf (field, group, union) :FlattenOptions;
# Its members are members of the object around it.

struct FlattenOptions {
  prefix @0 :Text = "";
  # Stands before the names of the members.
}

annotation discriminator @0xcfa794e8d19a0162 (struct, union) :DiscriminatorOptions;
# A member of its own says which one of the union's is there.

struct DiscriminatorOptions {
  name @0 :Text;
  # That member's name; the union's where it is missing.

  valueName @1 :Text;
  # The name under which every member's value is written, in the place of the member's own.
}

annotation base64 @0xd7d879450a253e4b (field) :Void;
# Data as Base64.

annotation hex @0xf061e22f0ae5c7b5 (field) :Void;
# Data as hexadecimal digits.

annotation notification @0xa0a054dea32fd98c (method) :Void;
# A JSON-RPC call without an answer.
