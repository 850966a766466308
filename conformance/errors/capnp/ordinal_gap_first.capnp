@0xa1c0ffee000000aa;

enum Side {
  buy @1;
  sell @2;
}
