@0xa93fc509624c72d1;
enum Side { buy @0; sell @1; }
struct Level {
  price @0 :Int64;
  side @1 :Side = sell;
  limit :union { none @2 :Void; max @3 :UInt32; }
  note :group { text @4 :Text; }
}
struct Box(T) { value @0 :T; }
