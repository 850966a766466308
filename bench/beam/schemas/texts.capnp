@0xc8e1a7d3f5b26940;

struct Texts {
  first @0 :Text;
  second @1 :Text;
}
