@0xa1c0ffee000000aa;

struct A { a @0 :List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(List(Text)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))); }
