@0xa1c0ffee000000aa;

struct Box(T) {
  all @0 :List(T);
}
