@0xd8f3b1907c2a4e65;
# Weather stations, shapes that nobody tuned for: floats, defaults, bools, a group, bytes, lists of numbers.

struct Reading {
  time @0 :UInt64;
  station @1 :UInt32;
  celsius @2 :Float32;
  pressure @3 :UInt16 = 1013;
  humidity @4 :UInt8;
  rain @5 :Bool;
  wind :group {
    speed @6 :Float32;
    direction @7 :UInt16;
  }
}

struct Notice {
  region @0 :Text;
  headline @1 :Text;
  body @2 :Text;
  issued @3 :Int64;
}

struct Forecast {
  region @0 :Text;
  days @1 :List(Day);
  map @2 :Data;

  struct Day {
    day @0 :UInt16;
    sky @1 :Sky;
    low @2 :Int8;
    high @3 :Int8;
    hours @4 :List(Float32);
    notes @5 :List(Text);
  }

  enum Sky {
    clear @0;
    clouds @1;
    rain @2;
    snow @3;
  }
}
