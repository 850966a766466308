# Records that are nothing but a union, whose values have no pointers (V) or only such: each behind a pointer and in lists.
@0xd4f12b9e6a7c3591;
struct V { union { v @0 :Float64; x1 @1 :Float32; } }
struct W { union { v @0 :Text; x1 @1 :Text; } }
struct H { a @0 :V; b @1 :W; c @2 :List(V); d @3 :List(List(V)); e @4 :List(W); f @5 :List(List(W)); }
