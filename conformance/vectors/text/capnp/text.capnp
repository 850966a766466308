@0xa1c0ffee00000142;
# Text in every place that Cap'n Proto has for it.

struct Texts {
  plain @0 :Text;
  given @1 :Text = "given";
  list @2 :List(Text);
  lists @3 :List(List(Text));
  inner @4 :Inner;
  records @5 :List(Inner);
  group :group { text @6 :Text; }
  named :union { arm @7 :Text; arms @8 :List(Text); }
  union { one @9 :Text; many @10 :List(Text); record @11 :Inner; }
  generic @12 :Generic(Text);
}

struct Inner { number @0 :UInt8; text @1 :Text; }

struct Generic(T) { value @0 :T; }
