@0xa1c0ffee000000aa;

enum Side {
  buy @0 :Int32;
}
