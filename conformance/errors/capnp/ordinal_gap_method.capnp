@0xa1c0ffee000000aa;

interface Desk {
  send @0 ();
  cancel @2 ();
}
