"""The account of FBE as libraries with a model object over a buffer read and write it: our own writing, in the style of FBE's generated
code, which cannot be had here. Each field is an object that knows its place in the record; each access looks an offset up in the
buffer and makes a ``struct`` call, each record is made of values with a class of their own.
"""

import struct


class Balance:
    def __init__(self, currency="", amount=0.0):
        self.currency, self.amount = currency, amount


class Order:
    def __init__(self, id=0, symbol="", side=0, type=0, price=0.0, volume=0.0):
        self.id, self.symbol, self.side, self.type, self.price, self.volume = id, symbol, side, type, price, volume


class Account:
    def __init__(self, id=0, name="", state=6, wallet=None, asset=None, orders=None):
        self.id, self.name, self.state = id, name, state
        self.wallet = Balance() if wallet is None else wallet
        self.asset = asset
        self.orders = [] if orders is None else orders


class Memory:
    """Bytes that grow, and where the record begins that is at work."""

    def __init__(self):
        self._bytes, self._size, self._offset = bytearray(64), 0, 0

    @property
    def bytes(self):
        return self._bytes

    @property
    def size(self):
        return self._size

    @property
    def offset(self):
        return self._offset

    def attach(self, data):
        self._bytes, self._size, self._offset = data, len(data), 0

    def reset(self):
        self._bytes, self._size, self._offset = bytearray(64), 0, 0

    def allocate(self, size):
        at = self._size
        while at + size > len(self._bytes):
            self._bytes += bytes(len(self._bytes))
        self._size += size
        return at

    def shift(self, size):
        self._offset += size

    def unshift(self, size):
        self._offset -= size


class Field:
    """A field: where it is in its record, and how many bytes it takes there."""

    def __init__(self, memory, offset):
        self._memory, self._offset = memory, offset

    @property
    def offset(self):
        return self._offset

    @property
    def size(self):
        return 4

    def step(self, size):
        self._offset += size

    def read_byte(self, at):
        return struct.unpack_from("<B", self._memory.bytes, self._memory.offset + at)[0]

    def read_int32(self, at):
        return struct.unpack_from("<i", self._memory.bytes, self._memory.offset + at)[0]

    def read_uint32(self, at):
        return struct.unpack_from("<I", self._memory.bytes, self._memory.offset + at)[0]

    def read_double(self, at):
        return struct.unpack_from("<d", self._memory.bytes, self._memory.offset + at)[0]

    def write_byte(self, at, value):
        struct.pack_into("<B", self._memory.bytes, self._memory.offset + at, value)

    def write_int32(self, at, value):
        struct.pack_into("<i", self._memory.bytes, self._memory.offset + at, value)

    def write_uint32(self, at, value):
        struct.pack_into("<I", self._memory.bytes, self._memory.offset + at, value)

    def write_double(self, at, value):
        struct.pack_into("<d", self._memory.bytes, self._memory.offset + at, value)

    def is_within(self):
        return self._memory.offset + self.offset + self.size <= self._memory.size


class Int32(Field):
    def get(self, default=0):
        return self.read_int32(self.offset) if self.is_within() else default

    def set(self, value):
        if self.is_within():
            self.write_int32(self.offset, value)


class Byte(Field):
    @property
    def size(self):
        return 1

    def get(self, default=0):
        return self.read_byte(self.offset) if self.is_within() else default

    def set(self, value):
        if self.is_within():
            self.write_byte(self.offset, value)


class Double(Field):
    @property
    def size(self):
        return 8

    def get(self, default=0.0):
        return self.read_double(self.offset) if self.is_within() else default

    def set(self, value):
        if self.is_within():
            self.write_double(self.offset, value)


class String(Field):
    def get(self, default=""):
        if not self.is_within():
            return default
        link = self.read_uint32(self.offset)
        if link == 0 or self._memory.offset + link + 4 > self._memory.size:
            return default
        size = self.read_uint32(link)
        start = self._memory.offset + link + 4
        if start + size > self._memory.size:
            return default
        return self._memory.bytes[start : start + size].decode("utf-8")

    def set(self, value):
        octets = value.encode("utf-8")
        at = self._memory.allocate(4 + len(octets)) - self._memory.offset
        self.write_uint32(self.offset, at)
        self.write_uint32(at, len(octets))
        start = self._memory.offset + at + 4
        self._memory.bytes[start : start + len(octets)] = octets


class Record(Field):
    """A record behind a link: its size, its id, and fields, of which a smaller record has only some."""

    body, own = 8, 0

    def begin(self):
        link = self.read_uint32(self.offset)
        if link == 0 or self._memory.offset + link + 8 > self._memory.size:
            return 0
        if self.read_uint32(link) < 8 or self.read_uint32(link + 4) != self.own:
            return 0
        self._memory.shift(link)
        return link

    def get(self):
        link = self.begin()
        if link == 0:
            return self.new()
        value = self.new()
        self.fields(value, self.read_uint32(0))
        self._memory.unshift(link)
        return value

    def set(self, value):
        link = self._memory.allocate(self.body) - self._memory.offset
        self.write_uint32(self.offset, link)
        self._memory.shift(link)
        self.write_uint32(0, self.body)
        self.write_uint32(4, self.own)
        self.put(value)
        self._memory.unshift(link)


class BalanceModel(Record):
    body, own = 20, 2

    def __init__(self, memory, offset):
        super().__init__(memory, offset)
        self.currency = String(memory, 8)
        self.amount = Double(memory, self.currency.offset + self.currency.size)

    def new(self):
        return Balance()

    def fields(self, value, size):
        there = 8 + self.currency.size
        if there <= size:
            value.currency = self.currency.get()
        there += self.amount.size
        if there <= size:
            value.amount = self.amount.get()

    def put(self, value):
        self.currency.set(value.currency)
        self.amount.set(value.amount)


class OrderModel(Record):
    body, own = 34, 1

    def __init__(self, memory, offset):
        super().__init__(memory, offset)
        self.id = Int32(memory, 8)
        self.symbol = String(memory, self.id.offset + self.id.size)
        self.side = Byte(memory, self.symbol.offset + self.symbol.size)
        self.type = Byte(memory, self.side.offset + self.side.size)
        self.price = Double(memory, self.type.offset + self.type.size)
        self.volume = Double(memory, self.price.offset + self.price.size)

    def new(self):
        return Order()

    def fields(self, value, size):
        there = 8 + self.id.size
        if there <= size:
            value.id = self.id.get()
        there += self.symbol.size
        if there <= size:
            value.symbol = self.symbol.get()
        there += self.side.size
        if there <= size:
            value.side = self.side.get()
        there += self.type.size
        if there <= size:
            value.type = self.type.get()
        there += self.price.size
        if there <= size:
            value.price = self.price.get()
        there += self.volume.size
        if there <= size:
            value.volume = self.volume.get()

    def put(self, value):
        self.id.set(value.id)
        self.symbol.set(value.symbol)
        self.side.set(value.side)
        self.type.set(value.type)
        self.price.set(value.price)
        self.volume.set(value.volume)


class OptionalBalance(Field):
    def __init__(self, memory, offset):
        super().__init__(memory, offset)
        self.value = BalanceModel(memory, 0)

    @property
    def size(self):
        return 5

    def get(self):
        if not self.is_within() or self.read_byte(self.offset) == 0:
            return None
        link = self.read_uint32(self.offset + 1)
        if link == 0:
            return None
        self._memory.shift(link)
        value = self.value.get()
        self._memory.unshift(link)
        return value

    def set(self, value):
        self.write_byte(self.offset, value is not None)
        if value is None:
            return
        link = self._memory.allocate(4) - self._memory.offset
        self.write_uint32(self.offset + 1, link)
        self._memory.shift(link)
        self.value.set(value)
        self._memory.unshift(link)


class Orders(Field):
    def __init__(self, memory, offset):
        super().__init__(memory, offset)
        self.model = OrderModel(memory, offset)

    def get(self):
        if not self.is_within():
            return []
        link = self.read_uint32(self.offset)
        if link == 0 or self._memory.offset + link + 4 > self._memory.size:
            return []
        count = self.read_uint32(link)
        model = self.model
        model._offset = link + 4
        found = []
        for _ in range(count):
            found.append(model.get())
            model.step(model.size)
        return found

    def set(self, values):
        link = self._memory.allocate(4 + 4 * len(values)) - self._memory.offset
        self.write_uint32(self.offset, link)
        self.write_uint32(link, len(values))
        model = self.model
        model._offset = link + 4
        for value in values:
            model.set(value)
            model.step(model.size)


class AccountModel(Record):
    body, own = 30, 3

    def __init__(self, memory, offset):
        super().__init__(memory, offset)
        self.id = Int32(memory, 8)
        self.name = String(memory, self.id.offset + self.id.size)
        self.state = Byte(memory, self.name.offset + self.name.size)
        self.wallet = BalanceModel(memory, self.state.offset + self.state.size)
        self.asset = OptionalBalance(memory, self.wallet.offset + self.wallet.size)
        self.orders = Orders(memory, self.asset.offset + self.asset.size)

    def new(self):
        return Account()

    def fields(self, value, size):
        there = 8 + self.id.size
        if there <= size:
            value.id = self.id.get()
        there += self.name.size
        if there <= size:
            value.name = self.name.get()
        there += self.state.size
        if there <= size:
            value.state = self.state.get()
        there += self.wallet.size
        if there <= size:
            value.wallet = self.wallet.get()
        there += self.asset.size
        if there <= size:
            value.asset = self.asset.get()
        there += self.orders.size
        if there <= size:
            value.orders = self.orders.get()

    def put(self, value):
        self.id.set(value.id)
        self.name.set(value.name)
        self.state.set(value.state)
        self.wallet.set(value.wallet)
        self.asset.set(value.asset)
        self.orders.set(value.orders)


# Readers and writers make their models once.
_memory = Memory()
_model = AccountModel(_memory, 4)


def read_account(data):
    _memory.attach(data)
    if _model.read_uint32(0) > len(data):
        raise ValueError("beyond the buffer")
    return _model.get()


def write_account(value):
    _memory.reset()
    _memory.allocate(8)
    _model.set(value)
    _model.write_uint32(0, _memory.size)
    return bytes(_memory.bytes[: _memory.size])
