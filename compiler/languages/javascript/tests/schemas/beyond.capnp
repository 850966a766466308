@0xb1c2d3e4f5a60719;

struct Beyond {
  near @0 :Int64 = 9007199254740991;
  far @1 :Int64 = 9007199254740992;
}
