@0xa1c0ffee000000aa;

struct Map(Key, Value) {
  key @0 :Key;
}

struct Order {
  tags @0 :Map(Text);
}
