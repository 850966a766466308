# It shares what the schemas of a circle have.
@0xf0c1a9be32d74a03;
using Right = import "../../../javascript/tests/schemas/circle/right.capnp";
using Notes = import "notes.capnp";
using Left = import "../../../javascript/tests/schemas/circle/left.capnp";

struct Far {
  price @0 :Right.Price = (amount = 3, side = sell);
  owner @1 :Left.Account;
  pair @2 :Right.Pair(Right.Price);
  sides @3 :List(Right.Side);
  note @4 :Notes.Note;
  notes @5 :List(Notes.Note);
}
