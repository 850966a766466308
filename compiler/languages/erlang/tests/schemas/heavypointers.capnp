@0xc3a9e5d17f2b4806;
# Lists that take more memory than bytes, many times in one message.

struct Texts {
  a @0 :List(Text);
  b @1 :List(Text);
  c @2 :List(Text);
  d @3 :List(Text);
  e @4 :List(Text);
  f @5 :List(Text);
  g @6 :List(Text);
  h @7 :List(Text);
  i @8 :List(Text);
  j @9 :List(Text);
}

struct Bits {
  a @0 :List(Bool);
}

struct Lines {
  a @0 :List(Line);
  b @1 :List(Line);
  c @2 :List(Line);
  d @3 :List(Line);
  e @4 :List(Line);
  f @5 :List(Line);
  g @6 :List(Line);
  h @7 :List(Line);
  i @8 :List(Line);
  j @9 :List(Line);
}

struct Line {
  text @0 :Text;
  more @1 :Text;
}
