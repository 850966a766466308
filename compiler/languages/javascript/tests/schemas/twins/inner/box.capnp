@0xb1c9f5a1d2e3c4b3;

struct Box(T) {
  v @0 :T;
}

struct Plain {
  n @0 :UInt8;
}
