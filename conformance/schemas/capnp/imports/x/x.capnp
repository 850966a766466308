@0xa1c0ffee00000084;
using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("x");
annotation mark(*) :Text;
struct Par { struct Sub { y @0 :Other; } z @0 :Dep; }
struct Other { n @0 :UInt8 = .kk; }
struct Dep {}
const kk :UInt8 = 7;
using Thing = Par.Sub;
