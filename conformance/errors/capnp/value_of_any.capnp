@0xa1c0ffee000000aa;

struct Order {
  extra @0 :AnyPointer = "text";
}
