@0xd4f12b9e6a7c3608;
# Records behind a pointer.

struct Message {
  parts @0 :List(Message);
}
