@0xa1c0ffee000000aa;

struct Order {
  tags @0 :List;
}
