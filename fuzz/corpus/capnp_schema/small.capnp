@0xa1c0ffee00000007;
# A little of most things, for a request below 8 KiB.

annotation note @0xa1c0ffee00000077 (*) :Box(Text);
const twice :List(Box(Data)) = [(), (value = 0x"ff", kind = b)];
enum Kind { a @0; b @1 $note(value = "x"); }
struct Box(T) {
  value @0 :T;
  kind @1 :Kind = b;
  union { none @2 :Void; some :group { more @3 :Box(Text) = (some = (flags = [true])); flags @4 :List(Bool); } }
}
interface Door { open @0 [X] (x :X) -> (box :Box(X)); }
