@0xa1c0ffee000000aa;

struct Order { kind @0 !:union { a @1 :Void; b @2 :Void; } }
