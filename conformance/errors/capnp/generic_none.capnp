@0xa1c0ffee000000aa;

struct Money {}

struct Order {
  price @0 :Money(Text);
}
