"""Unions are classes that match; nesting and packed bytes end in faults, not in errors of Python's own."""

import sys

import addressbook
from aldis import CodecError, UnknownArm
from addressbook import AddressBook, Person, Person_employment_school, Person_employment_unemployed

alice = Person(id=1, name="Alice", employment=Person_employment_school("MIT"))
book = AddressBook(people=[alice, Person(name="Bob", employment=Person_employment_unemployed())])
for encode, decode in (
    (book.encode, AddressBook.decode),
    (book.encode_packed, AddressBook.decode_packed),
    (book.encode_canonical, AddressBook.decode_canonical),
):
    assert decode(encode()).people[0].name == "Alice"
names = []
for person in AddressBook.decode(book.encode()).people or []:
    match person.employment:
        case Person_employment_school(value=school):
            names.append(school)
        case Person_employment_unemployed():
            names.append(None)
        case UnknownArm(tag=tag):
            raise AssertionError(tag)
assert names == ["MIT", None], names


def deep(levels, run):
    return run() if levels == 0 else deep(levels - 1, run)


# A caller that is deep already gets a value or CodecError.
for levels in range(0, sys.getrecursionlimit() - 20, 10):
    try:
        deep(levels, lambda: AddressBook.decode(book.encode()))
    except CodecError as error:
        assert error.code == "too-deep"
    except RecursionError:
        assert levels > 700
assert addressbook.__all__
