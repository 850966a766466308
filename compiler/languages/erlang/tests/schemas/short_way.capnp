@0xdbb9ad1f14bf0b37;
# The fields that `short_way.rs` reads both ways: every pointer that has a short way, unions, lists of records of one, two and four words.
struct Row {
  number @0 :UInt8;
  pair @1 :Pair;
  pairs @2 :List(Pair);
  names @3 :List(Name);
  texts @4 :List(Text);
  blobs @5 :List(Data);
  points @6 :List(Point);
  numbers @7 :List(Int16);
  title @8 :Text = "none";
  union {
    none @9 :Void;
    text @10 :Text;
    one @11 :Pair;
  }
  blob @12 :Data;
  last @13 :Int16;
}
struct Point { x @0 :Int32; y @1 :Int32; }
struct Pair { x @0 :Int32; y @1 :Float64; }
struct Name { text @0 :Text; a @1 :Int64; b @2 :Int64; c @3 :Int16; }
