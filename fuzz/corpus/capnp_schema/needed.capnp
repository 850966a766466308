@0xa1c0ffee00000083;
struct Far { struct Child {} }
struct Far2 { }
const k :Int32 = 5;
