@0xd4f12b9e6a7c3602;
# A default, by which what is stored differs.

struct Message {
  size @0 :Int16 = 5;
}
