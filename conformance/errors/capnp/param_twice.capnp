@0xa1c0ffee000000aa;

interface Desk {
  send @0 (price :Int32, price :Int64);
}
