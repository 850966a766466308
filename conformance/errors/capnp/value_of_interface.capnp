@0xa1c0ffee000000aa;

interface Desk {}

struct Order {
  desk @0 :Desk = 5;
}
