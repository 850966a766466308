"""Codecs written by hand for these messages, as fast as we know how: one ``struct`` call for a run with its header, texts by slices,
positional constructors of the generated classes. Readers look at sizes and ids, and where texts end; they charge no budget, and
blocks of other sizes and other versions are thrown at. Writers check nothing but what ``struct`` does.
"""

from struct import Struct

import addressbook
import market
import proto
import ticks

Account, Balance, Order, State = proto.Account, proto.Balance, proto.Order, proto.State
side_of = proto.OrderSide._value2member_map_.get
type_of = proto.OrderType._value2member_map_.get
state_of = State._value2member_map_.get


class Damaged(Exception):
    pass


def state(mask):
    found = state_of(mask)
    return State(mask) if found is None else found


# ---- FBE, standard: a struct, then what its links lead to, in order.

_account = Struct("<IIIIiIBIBIII").unpack_from
_balance = Struct("<IIIdI").unpack_from
_optional = Struct("<IIIIdI").unpack_from
_order = Struct("<IIiIBBddI").unpack_from
_u32 = Struct("<I").unpack_from
_tables = [Struct(f"<{n}I").unpack_from for n in range(64)]


def read_account(data):
    size, root, own, id_, number, name, mask, wallet, there, asset, orders, length = _account(data)
    end = len(data)
    if size > end or root != 8 or own != 30 or id_ != 3 or name != 30:
        raise Damaged
    at = 42 + length
    called = data[42:at].decode()
    own, id_, currency, amount, length = _balance(data, at)
    if wallet != at - 8 or own != 20 or id_ != 2 or currency != 20:
        raise Damaged
    start = at + 24
    at = start + length
    money = Balance(data[start:at].decode(), amount)
    more = None
    if there:
        cell, own, id_, currency, amount, length = _optional(data, at)
        if asset != at - 8 or cell != 4 or own != 20 or id_ != 2 or currency != 20:
            raise Damaged
        start = at + 28
        at = start + length
        more = Balance(data[start:at].decode(), amount)
    (count,) = _u32(data, at)
    if orders != at - 8 or at + 4 + 4 * count > end:
        raise Damaged
    links = (_tables[count] if count < 64 else Struct(f"<{count}I").unpack_from)(data, at + 4)
    at += 4 + 4 * count
    found = []
    for link in links:
        own, id_, one, symbol, side, kind, price, volume, length = _order(data, at)
        if link != at - 8 or own != 34 or id_ != 1 or symbol != 34:
            raise Damaged
        start = at + 38
        at = start + length
        found.append(Order(one, data[start:at].decode(), side_of(side, side), type_of(kind, kind), price, volume))
    if at > end:
        raise Damaged
    return Account(number, called, state(mask), money, more, found)


_head = Struct("<IIIIiIBIBIII").pack
_wallet = Struct("<IIIdI").pack
_asset = Struct("<IIIIdI").pack
_part = Struct("<IIiIBBddI").pack
_count = Struct("<I").pack
_size = Struct("<I").pack_into


def write_account(account):
    name = account.name.encode()
    wallet, asset = account.wallet, account.asset
    at = 34 + len(name)
    wallet_at = at
    currency = wallet.currency.encode()
    parts = [None, name, _wallet(20, 2, 20, wallet.amount, len(currency)), currency]
    at += 24 + len(currency)
    asset_at = 0
    if asset is not None:
        asset_at = at
        currency = asset.currency.encode()
        parts += (_asset(4, 20, 2, 20, asset.amount, len(currency)), currency)
        at += 28 + len(currency)
    orders = account.orders
    orders_at = at
    at += 4 + 4 * len(orders)
    links, written = [], []
    for order in orders:
        links.append(at)
        symbol = order.symbol.encode()
        written += (_part(34, 1, order.id, 34, order.side, order.type, order.price, order.volume, len(symbol)), symbol)
        at += 38 + len(symbol)
    parts[0] = _head(
        at + 8, 8, 30, 3, account.id, 30, account.state, wallet_at, asset is not None, asset_at, orders_at, len(name)
    )
    return b"".join((*parts, Struct(f"<{len(links) + 1}I").pack(len(links), *links), *written))


# ---- FBE Final: fields one after another.

_final_head = Struct("<IIiI").unpack_from
_final_state = Struct("<BI").unpack_from
_final_amount = Struct("<dB").unpack_from
_final_more = Struct("<dI").unpack_from
_final_order = Struct("<iI").unpack_from
_final_rest = Struct("<BBdd").unpack_from


def read_final(data):
    size, id_, number, length = _final_head(data)
    if size != len(data) or id_ != 3:
        raise Damaged
    at = 16 + length
    name = data[16:at].decode()
    mask, length = _final_state(data, at)
    start = at + 5
    at = start + length
    currency = data[start:at].decode()
    amount, there = _final_amount(data, at)
    at += 9
    more = None
    if there:
        (length,) = _u32(data, at)
        start = at + 4
        at = start + length
        text = data[start:at].decode()
        value, count = _final_more(data, at)
        more = Balance(text, value)
        at += 12
    else:
        (count,) = _u32(data, at)
        at += 4
    found = []
    for _ in range(count):
        one, length = _final_order(data, at)
        start = at + 8
        at = start + length
        side, kind, price, volume = _final_rest(data, at)
        found.append(Order(one, data[start:at].decode(), side_of(side, side), type_of(kind, kind), price, volume))
        at += 18
    if at != size:
        raise Damaged
    return Account(number, name, state(mask), Balance(currency, amount), more, found)


_put_head = Struct("<IIiI").pack
_put_state = Struct("<BI").pack
_put_amount = Struct("<dB").pack
_put_double = Struct("<d").pack
_put_order = Struct("<iI").pack
_put_rest = Struct("<BBdd").pack


def write_final(account):
    name, wallet, asset, orders = account.name.encode(), account.wallet, account.asset, account.orders
    currency = wallet.currency.encode()
    parts = [
        b"",
        name,
        _put_state(account.state, len(currency)),
        currency,
        _put_amount(wallet.amount, asset is not None),
    ]
    if asset is not None:
        currency = asset.currency.encode()
        parts += (_count(len(currency)), currency, _put_double(asset.amount))
    parts.append(_count(len(orders)))
    for order in orders:
        symbol = order.symbol.encode()
        rest = _put_rest(order.side, order.type, order.price, order.volume)
        parts += (_put_order(order.id, len(symbol)), symbol, rest)
    size = 16 + sum(map(len, parts))
    parts[0] = _put_head(size, 3, account.id, len(name))
    return b"".join(parts)


# ---- SBE: a head and one block.

Trade, price, Conditions = market.Trade, market.price, market.Conditions
aggressor_of = market.Side._value2member_map_.get
conditions_of = Conditions._value2member_map_.get
_trade = Struct("<HHHHQQIqIBBQQ3s").unpack_from
_put_trade = Struct("<HHHHQQIqIBBQQ3s").pack


def read_trade(data):
    block, id_, _, version, sequence, time, instrument, mantissa, size, side, mask, buy, sell, venue = _trade(data)
    if block != 53 or id_ != 1 or version != 2:
        raise Damaged
    conditions = conditions_of(mask)
    if conditions is None:
        conditions = Conditions(mask)
    if 0 in venue:
        venue = venue[: venue.index(0)]
    return Trade(
        sequence, time, instrument, price(mantissa, -8), size, aggressor_of(side, side), conditions, buy, sell, venue.decode("latin-1")
    )


def write_trade(trade):
    return _put_trade(
        53,
        1,
        71,
        2,
        trade.sequence,
        trade.time,
        trade.instrument,
        trade.price_.mantissa,
        trade.size,
        trade.aggressor,
        trade.conditions,
        trade.buyOrder,
        trade.sellOrder,
        trade.venue.encode("latin-1"),
    )


# ---- Cap'n Proto: one segment, near pointers, sections of the schema's size, objects in the order of pointers.

AddressBook, Person, PhoneNumber = addressbook.AddressBook, addressbook.Person, addressbook.Person_PhoneNumber
kind_of = addressbook.Person_PhoneNumber_Type._value2member_map_.get
ARMS = {
    0: addressbook.Person_employment_unemployed,
    1: addressbook.Person_employment_employer,
    2: addressbook.Person_employment_school,
    3: addressbook.Person_employment_selfEmployed,
}
TAGS = {arm: tag for tag, arm in ARMS.items()}
_book = Struct("<IIiI").unpack_from
_person = Struct("<IH2xiIiIiIiI").unpack_from
_phone = Struct("<H6xiI").unpack_from
_tag = Struct("<III").unpack_from
_pointer = Struct("<iI").unpack_from


_tick = Struct("<IIiIQqIIqBxH4x")
TICK = 0, 6, 0, 5
"""One segment of six words; a struct of five words of data behind the pointer."""


def read_tick(data):
    more, words, low, high, sequence, time, instrument, size, price, side, flags = _tick.unpack_from(data)
    if (more, words, low, high) != TICK or len(data) < 56:
        raise Damaged
    return ticks.Tick(sequence, time, instrument, price, size, side, flags)


def write_tick(tick):
    return _tick.pack(*TICK, tick.sequence, tick.time, tick.instrument, tick.size, tick.price, tick.side, tick.flags)


def _text(data, place, low, high):
    """The text of a pointer at ``place``."""
    if high & 7 != 2 or low & 3 != 1:
        raise Damaged
    start = place + 8 + (low >> 2) * 8
    stop = start + (high >> 3) - 1
    if data[stop] != 0:
        raise Damaged
    return data[start:stop].decode()


def _phones(data, place, low, high):
    start = place + 8 + (low >> 2) * 8
    count, shape, _ = _tag(data, start)
    if high & 7 != 7 or low & 3 != 1 or shape != 0x10001:
        raise Damaged
    found = []
    for at in range(start + 8, start + 8 + 4 * count, 16):
        kind, low, high = _phone(data, at)
        found.append(PhoneNumber(_text(data, at + 8, low, high), kind_of(kind, kind)))
    return found


def read_book(data):
    more, words, low, high = _book(data)
    if more != 0 or 8 + 8 * words > len(data):
        raise Damaged
    place = 16 + (low >> 2) * 8
    if high != 0x10000:
        raise Damaged
    low, high = _pointer(data, place)
    start = place + 8 + (low >> 2) * 8
    count, shape, _ = _tag(data, start)
    if high & 7 != 7 or low & 3 != 1 or shape != 0x40001:
        raise Damaged
    found = []
    for at in range(start + 8, start + 8 + 10 * count, 40):
        id_, tag, nl, nh, el, eh, pl, ph, ul, uh = _person(data, at)
        name = _text(data, at + 8, nl, nh)
        email = _text(data, at + 16, el, eh)
        phones = _phones(data, at + 24, pl, ph)
        union = ARMS[tag](_text(data, at + 32, ul, uh) if tag in (1, 2) else None)
        found.append(Person(id_, name, email, phones, union))
    return AddressBook(found)


_put_person = Struct("<IHHiIiIiIiI").pack_into
_put_phone = Struct("<HHIiI").pack_into
_put_pointer = Struct("<iI").pack_into


def _put_text(out, place, text):
    octets = text.encode()
    at = len(out)
    size = len(octets) + 1
    out += octets + bytes(8 - len(octets) % 8)
    return (at - place - 8) // 2 | 1, size << 3 | 2


def write_book(book):
    people = book.people
    count = len(people)
    out = bytearray(8 + 8 + 8 + 8 + 40 * count)
    _put_pointer(out, 8, 0, 0x10000)
    _put_pointer(out, 16, 1, 5 * count << 3 | 7)
    _put_pointer(out, 24, count << 2, 0x40001)
    at = 32
    for person in people:
        n, e = _put_text(out, at + 8, person.name), _put_text(out, at + 16, person.email)
        start = len(out)
        phones = person.phones
        out += bytes(8 + 16 * len(phones))
        _put_pointer(out, start, len(phones) << 2, 0x10001)
        place = start + 8
        for phone in phones:
            _put_phone(out, place, phone.type, 0, 0, *_put_text(out, place + 8, phone.number))
            place += 16
        union = person.employment
        tag = TAGS[type(union)]
        u = _put_text(out, at + 32, union.value) if tag in (1, 2) else (0, 0)
        _put_person(out, at, person.id, tag, 0, *n, *e, (start - at - 32) // 2 | 1, 2 * len(phones) << 3 | 7, *u)
        at += 40
    _put_pointer(out, 0, 0, len(out) // 8 - 1)
    return bytes(out)
