"""The address book and seven integers by pycapnp, all of it read to numbers and strings."""


def contestants(schema, data, book):
    import capnp

    capnp.remove_import_hook()
    AddressBook = capnp.load(schema).AddressBook

    def read():
        with AddressBook.from_bytes(data) as found:
            return [person(one) for one in found.people]

    def person(one):
        phones = [(phone.number, phone.type) for phone in one.phones]
        which = one.employment.which()
        return one.id, one.name, one.email, phones, which, getattr(one.employment, which)

    def write():
        made = AddressBook.new_message()
        people = made.init("people", len(book.people))
        for one, person in zip(people, book.people):
            one.id, one.name, one.email = person.id, person.name, person.email
            phones = one.init("phones", len(person.phones))
            for phone, given in zip(phones, person.phones):
                phone.number, phone.type = given.number, int(given.type)
            arm = type(person.employment).__name__.rsplit("_", 1)[1]
            setattr(one.employment, arm, person.employment.value)
        return made.to_bytes()

    return read, write


def of_ticks(schema, data, tick):
    import capnp

    capnp.remove_import_hook()
    Tick = capnp.load(schema).Tick

    def read():
        with Tick.from_bytes(data) as one:
            return one.sequence, one.time, one.instrument, one.price, one.size, one.side, one.flags

    def write():
        one = Tick.new_message()
        one.sequence, one.time, one.instrument, one.price = tick.sequence, tick.time, tick.instrument, tick.price
        one.size, one.side, one.flags = tick.size, tick.side, tick.flags
        return one.to_bytes()

    if read() != (tick.sequence, tick.time, tick.instrument, tick.price, tick.size, tick.side, tick.flags) or write() != data:
        raise SystemExit("pycapnp disagrees about tick")
    return read, write
