@0xa1c0ffee00000092;
# Values of every kind: defaults, constants, embedded files.

using Json = import "/capnp/compat/json.capnp";

enum Side { buy @0; sell @1; none @2; }

struct Money {
  value @0 :Int64 = 7;
  unit @1 :Text = "EUR";
  union {
    cents @2 :UInt8 = 3;
    free @3 :Void;
    parts :group { a @4 :Int16 = -5; b @5 :Text; }
  }
  side @6 :Side = sell;
  ratio @7 :Float32 = 1e400;
  flag @8 :Bool = true;
}

const ten :Int64 = 10;
const money :Money = (value = .ten, free = void, flag = false);
const defaults :Money = (value = 7, unit = "EUR", cents = 3, side = sell, ratio = inf, flag = true);
const grouped :Money = (parts = (a = -5));
const groupedMore :Money = (parts = (b = "x"), ratio = nan);
const listed :List(Money) = [.money, (), (value = 0x7f)];
const deep :List(List(Side)) = [[buy, sell], [], [none]];
const embeddedText :Text = embed "sub/greeting.txt";
const embeddedData :Data = embed "sub/greeting.txt";
const embeddedMoney :Money = embed "sub/money.bin";
const mixed :Text = "a\tb\x41\101" "\"joined\"";
const floats :List(Float64) = [1, -1, 1.5, -inf, inf, nan, 0.1, -0.0];
const octal :UInt16 = 0777;
const least :Int64 = -0x8000000000000000;
const most :UInt64 = 0xffffffffffffffff;
const bytes :Data = 0x"00 ff 10aB";
const asFloat :Float32 = .ten;
const sideNumber :UInt16 = .side;
const side :Side = none;

struct Holder {
  m @0 :Money = (value = 1, parts = (a = 2, b = "y"));
  l @1 :List(Money) = .listed;
  any @2 :AnyPointer = .money;
  anyList @3 :AnyList = .deep;
  anyStruct @4 :AnyStruct = .money;
  g :group {
    x @5 :UInt16 = .octal;
    u :union { v @6 :Void; w @7 :List(Text) = ["a", ""]; }
  }
  nested @8 :Holder = (g = (x = 1, u = (w = [])), nested = (m = ()));
  generic @9 :Box(Text, Money) = (a = "t", b = (value = 2), c = [(a = "u")]);
}

struct Box(A, B) { a @0 :A; b @1 :B; c @2 :List(Box(A, B)); }

annotation tag (*) :Money;
annotation mark (*) :Void;

struct Tagged $tag(value = 3) $mark {
  a @0 :Text $Json.name("A") $tag(.money);
  b :group $Json.flatten(prefix = "p_") { c @1 :Data $Json.base64; }
  u :union $Json.discriminator(name = "kind") { d @2 :Void; e @3 :Void $Json.name("E"); }
}

interface Desk {
  send @0 (a :Int32 = 5, m :Money = (value = 1), n :Money = null, t :Text = null) -> (r :Side = none);
  close @1 () -> stream $Json.notification;
}
