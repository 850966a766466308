@0xa1c0ffee000000aa;

interface Desk {
  send @0 ();
  send @1 ();
}
