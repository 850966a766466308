@0xa1c0ffee000000aa;

struct Order {
  kind :union {
    market @0 :Void;
  }
}
