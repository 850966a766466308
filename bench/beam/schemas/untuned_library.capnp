@0xe7419ab25d306cf8;
# A library's books, shapes that nobody tuned for: records in records, unions in lists, texts beside numbers.

struct Loan {
  book @0 :UInt64;
  reader @1 :UInt32;
  day @2 :UInt32;
  renewals @3 :UInt8;
  fee @4 :Int64;
  shelf @5 :Int16;
  open @6 :Bool;
}

struct Card {
  name @0 :Text;
  street @1 :Text;
  town @2 :Text;
  number @3 :UInt32;
}

struct Catalogue {
  books @0 :List(Book);

  struct Book {
    title @0 :Text;
    year @1 :Int16;
    authors @2 :List(Author);
    publisher @3 :Publisher;
    state :union {
      shelved @4 :UInt16;
      lent @5 :Text;
      lost @6 :Void;
    }
  }

  struct Author {
    first @0 :Text;
    last @1 :Text;
  }

  struct Publisher {
    name @0 :Text;
    town @1 :Text;
  }
}
