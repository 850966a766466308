@0xd4f12b9e6a7c3605;
# Text behind a pointer.

struct Message {
  name @0 :Text;
}
