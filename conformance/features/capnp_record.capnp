@0xd4f12b9e6a7c3609;
# A record behind a pointer.

struct Message {
  next @0 :Message;
}
