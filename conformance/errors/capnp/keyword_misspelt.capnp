@0xa1c0ffee000000aa;

strcut Order {
  price @0 :Int32;
}
