"""The account and the trade by protobuf's own library (upb), from one definition that grpcio-tools compiles."""

import importlib
import pathlib
import sys
import tempfile

PROTO = """syntax = "proto3";
message Order { int32 id = 1; string symbol = 2; uint32 side = 3; uint32 type = 4; double price = 5; double volume = 6; }
message Balance { string currency = 1; double amount = 2; }
message Account { int32 id = 1; string name = 2; uint32 state = 3; Balance wallet = 4; Balance asset = 5; repeated Order orders = 6; }
message Trade { fixed64 sequence = 1; fixed64 time = 2; fixed32 instrument = 3; sfixed64 price = 4; fixed32 size = 5; uint32 aggressor = 6;
  uint32 conditions = 7; fixed64 buyOrder = 8; fixed64 sellOrder = 9; string venue = 10; }
"""


def contestants(message, value):
    """Functions that read all fields of the message's bytes, and that write them from a value with the same fields."""
    from google.protobuf.internal import api_implementation
    from grpc_tools import protoc

    if api_implementation.Type() != "upb":
        raise ImportError("protobuf without upb")
    folder = tempfile.mkdtemp()
    pathlib.Path(folder, "peer.proto").write_text(PROTO)
    if protoc.main(["protoc", f"-I{folder}", f"--python_out={folder}", "peer.proto"]) != 0:
        raise ImportError("protoc failed")
    sys.path.insert(0, folder)
    peer = importlib.import_module("peer_pb2")
    write = {"account": write_account, "trade": write_trade}[message]
    read = {"account": read_account, "trade": read_trade}[message]
    data = write(peer, value)
    return lambda: read(peer, data), lambda: write(peer, value)


def read_account(peer, data):
    account = peer.Account()
    account.ParseFromString(data)
    wallet, asset = account.wallet, account.asset
    orders = [(one.id, one.symbol, one.side, one.type, one.price, one.volume) for one in account.orders]
    money = (wallet.currency, wallet.amount, asset.currency, asset.amount)
    return account.id, account.name, account.state, money, orders


def write_account(peer, value):
    wallet, asset = value.wallet, value.asset
    account = peer.Account(
        id=value.id,
        name=value.name,
        state=value.state,
        wallet=peer.Balance(currency=wallet.currency, amount=wallet.amount),
        asset=peer.Balance(currency=asset.currency, amount=asset.amount),
        orders=[
            peer.Order(id=one.id, symbol=one.symbol, side=one.side, type=one.type, price=one.price, volume=one.volume)
            for one in value.orders
        ],
    )
    return account.SerializeToString()


def read_trade(peer, data):
    t = peer.Trade()
    t.ParseFromString(data)
    return t.sequence, t.time, t.instrument, t.price, t.size, t.aggressor, t.conditions, t.buyOrder, t.sellOrder, t.venue


def write_trade(peer, value):
    return peer.Trade(
        sequence=value.sequence,
        time=value.time,
        instrument=value.instrument,
        price=value.price_.mantissa,
        size=value.size,
        aggressor=value.aggressor,
        conditions=value.conditions,
        buyOrder=value.buyOrder,
        sellOrder=value.sellOrder,
        venue=value.venue,
    ).SerializeToString()
