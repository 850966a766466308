@0xd4f12b9e6a7c3583;

struct Shape {
  id @0 :UInt8;
  union {
    circle @1 :Float64;
    square @2 :Float32;
  }
  size :group {
    w @3 :UInt16;
    h @4 :UInt16;
  }
  colour :union {
    rgb @5 :UInt32;
    name @6 :Text;
  }
}

# Nothing but a union.
struct Tree {
  union {
    leaf @0 :Int64;
    node @1 :List(Tree);
    empty @2 :Void;
  }
}

struct Item {
  union {
    none @0 :Void;
    text @1 :Text;
    more :group {
      list @2 :List(Item);
      last @3 :Text;
    }
  }
  extra @4 :Bool;
}

struct Unions {
  items @0 :List(Item);
}

# Words that mean something to Erlang or to its users.
struct Named {
  union {
    unknown @0 :UInt8;
    end @1 :Void;
    undefined @2 :Text;
  }
  after @3 :Bool;
}

struct Defaults {
  number @0 :Int16 = 5;
  text @1 :Text = "hello";
  numbers @2 :List(UInt8) = [1, 2, 3];
  shape @3 :Shape = (id = 3, square = 4, size = (w = 1));
  float @4 :Float32 = nan;
  flag @5 :Bool = true;
  plain @6 :Text;
}

struct Kinds {
  kind @0 :Kind;
  kinds @1 :List(Kind);

  enum Kind {
    a @0;
    b @1;
  }
}

struct Holder {
  any @0 :AnyPointer;
  list @1 :AnyList;
  cap @2 :Capability;
}

struct Voids {
  list @0 :List(Void);
}

struct Chain {
  next @0 :Chain;
}

struct Twice {
  a @0 :Twice;
  b @1 :Twice;
}
