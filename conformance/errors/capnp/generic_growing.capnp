@0xa1c0ffee000000aa;

struct Two(A, B) {
  a @0 :A;
}

using T0 = Two(Text, Text);
using T1 = Two(T0, T0);
using T2 = Two(T1, T1);
using T3 = Two(T2, T2);
using T4 = Two(T3, T3);
using T5 = Two(T4, T4);
using T6 = Two(T5, T5);
using T7 = Two(T6, T6);
using T8 = Two(T7, T7);

struct Order {
  all @0 :T8;
}
