@0xa1c0ffee00000004;
# Generics, annotations and imports: brands, values of generic types, and what a request holds of imported files.

using Types = import "names-types.capnp";
using Inner = Types.Pair(Text, Data).Inner(List(UInt8));

$Types.remark("the file");

annotation weight @0xa1c0ffee00000044 (struct, field, enumerant, method) :Types.Weight;
annotation tags (*) :List(Text);

const three :UInt16 = 3;
const origin :Types.Weight = (grams = 3, parts = [1, 2]);
const anything :AnyPointer = .words;
const someStruct :AnyStruct = .origin;
const words :List(Text) = ["a", "b"];
const grid :List(List(UInt8)) = [[], [1], [2, .three]];
const boxed :Box(Text) = (value = "outer", twin = (value = "inner"));

struct Box(T) {
  value @0 :T;
  twin @1 :Box(T);
  texts @2 :Box(Text) = (value = "hi", twin = (value = "lo", count = 9));
  datas @3 :List(Box(Data)) = [(value = 0x"01 02"), ()];
  count @4 :Int32 = -7;
  struct Lid { up @0 :T; next @1 :Lid; other @2 :Box(T).Lid; }
}

struct Shop $weight(grams = 5, parts = [6]) $tags(["q", "r"]) {
  pair @0 :Inner;
  # Both halves.
  #
  # And more.
  first @1 :Types.One $tags([]);
  any @2 :AnyPointer = .words;
  empty @3 :Text = "";
  state :union $tags(["u"]) { closed @4 :Void; open @5 :Text; busy :group { since @6 :UInt64; who @7 :Text; } }
  default @8 :Shop = (state = (open = "now"), kind = b);
  list @9 :List(Shop) = [(state = (closed = void)), (), (state = (busy = (since = 1)))];
  service @10 :Service;
  kind @11 :Kind = c;
}

enum Kind {
  # Of a kind.

  a @0;
  b @1 $weight(grams = 1);
  # The second.
  c @2;
}

interface Service {
  put @0 (name :Text = null, what :Types.Two = null) -> stream;
  # Puts it.
  get @1 [X] (x :X) -> (box :Box(X)) $weight(());
}
