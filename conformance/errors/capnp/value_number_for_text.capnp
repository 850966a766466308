@0xa1c0ffee000000aa;

struct Order {
  name @0 :Text = 5;
}
