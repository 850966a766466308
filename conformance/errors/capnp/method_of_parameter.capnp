@0xa1c0ffee000000aa;

interface Desk(T) {
  send @0 T -> ();
}
