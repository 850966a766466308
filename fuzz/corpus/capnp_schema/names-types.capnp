@0xa1c0ffee00000005;
# What names.capnp imports: some of it is needed there, some is not.

using More = import "names-more.capnp";

annotation remark (file) :Text;
struct Weight { grams @0 :Int32; parts @1 :List(UInt8); }
struct Pair(A, B) { a @0 :A; b @1 :B; struct Inner(C) { a @0 :A; b @1 :B; c @2 :C; } }
struct One $More.note(7) { two @0 :Two; flag @1 :Int32 $More.note(8); const unused :Int32 = 7; struct NotNeeded {} }
struct Two { three @0 :More.Three; enumeration @1 :Small; calls @2 :Calls; }
struct NotNeededEither { one @0 :One; }
struct Message { body @0 :Text; }
enum Small { only @0; }
interface Calls { send @0 (message :Message) -> (three :More.Three); }
