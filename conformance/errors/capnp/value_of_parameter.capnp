@0xa1c0ffee000000aa;

struct Box(T) {
  it @0 :T = "text";
}
