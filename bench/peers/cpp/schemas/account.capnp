# The account message of conformance/vectors/fbe/proto.fbe in Cap'n Proto.
@0xb3b6cf4e6ba6e2a5;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("account_capnp");

enum Side { buy @0; sell @1; }
enum Type { market @0; limit @1; stop @2; }

struct Order {
  id @0 :Int32;
  symbol @1 :Text;
  side @2 :Side;
  type @3 :Type;
  price @4 :Float64;
  volume @5 :Float64;
}

struct Balance {
  currency @0 :Text;
  amount @1 :Float64;
}

struct Account {
  id @0 :Int32;
  name @1 :Text;
  state @2 :UInt8;
  wallet @3 :Balance;
  asset @4 :Balance;
  orders @5 :List(Order);
}
