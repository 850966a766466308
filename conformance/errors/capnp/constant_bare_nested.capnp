@0xa1c0ffee000000aa;

struct Order {
  const limit :Int32 = 5;
  price @0 :Int32 = limit;
}
