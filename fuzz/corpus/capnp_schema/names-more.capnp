@0xa1c0ffee00000006;

annotation note (*) :Int16;
struct Three { four @0 :Four; }
struct Four { three @0 :Three; group :group { five @1 :Five; } }
struct Five {}
struct Nobody {}
