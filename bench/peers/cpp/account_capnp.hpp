// The account message by libcapnp: a builder writes into memory that is used again, a reader looks at it in place.
#pragma once

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <algorithm>

#include "account.capnp.h"
#include "account.hpp"

namespace peer::capnp_account {

using Words = std::vector<capnp::word>;

inline void build(account_capnp::Balance::Builder to, const Balance& from) {
    to.setCurrency(from.currency.c_str());
    to.setAmount(from.amount);
}

// Writes the message with its table of segments and gives how many words it takes. `scratch` is zero before and after.
inline std::size_t encode(const Account& from, Words& scratch, Words& out) {
    capnp::MallocMessageBuilder message(kj::ArrayPtr<capnp::word>(scratch.data(), scratch.size()));
    auto to = message.initRoot<account_capnp::Account>();
    to.setId(from.id);
    to.setName(from.name.c_str());
    to.setState(from.state);
    build(to.initWallet(), from.wallet);
    if (from.asset) {
        build(to.initAsset(), *from.asset);
    }
    auto orders = to.initOrders(static_cast<unsigned>(from.orders.size()));
    for (unsigned index = 0; index < orders.size(); ++index) {
        const Order& order = from.orders[index];
        auto made = orders[index];
        made.setId(order.id);
        made.setSymbol(order.symbol.c_str());
        made.setSide(static_cast<account_capnp::Side>(order.side));
        made.setType(static_cast<account_capnp::Type>(order.type));
        made.setPrice(order.price);
        made.setVolume(order.volume);
    }
    kj::ArrayOutputStream stream(kj::arrayPtr(reinterpret_cast<kj::byte*>(out.data()), out.size() * sizeof(capnp::word)));
    capnp::writeMessage(stream, message);
    return stream.getArray().size() / sizeof(capnp::word);
}

inline void read(account_capnp::Balance::Reader from, Balance& to) {
    const auto currency = from.getCurrency();
    to.currency.assign(currency.begin(), currency.size());
    to.amount = from.getAmount();
}

// Copies all into `to`, whose memory is used again. The library throws for bad bytes.
inline void decode(kj::ArrayPtr<const capnp::word> in, Account& to) {
    capnp::FlatArrayMessageReader message(in);
    const auto from = message.getRoot<account_capnp::Account>();
    to.id = from.getId();
    const auto name = from.getName();
    to.name.assign(name.begin(), name.size());
    to.state = from.getState();
    read(from.getWallet(), to.wallet);
    if (from.hasAsset()) {
        read(from.getAsset(), to.asset ? *to.asset : to.asset.emplace());
    } else {
        to.asset.reset();
    }
    const auto orders = from.getOrders();
    to.orders.resize(orders.size());
    for (unsigned index = 0; index < orders.size(); ++index) {
        const auto order = orders[index];
        Order& made = to.orders[index];
        made.id = order.getId();
        const auto symbol = order.getSymbol();
        made.symbol.assign(symbol.begin(), symbol.size());
        made.side = static_cast<std::uint8_t>(order.getSide());
        made.type = static_cast<std::uint8_t>(order.getType());
        made.price = order.getPrice();
        made.volume = order.getVolume();
    }
}

// Adds up all numbers and the lengths of all texts.
inline double read_all(kj::ArrayPtr<const capnp::word> in) {
    capnp::FlatArrayMessageReader message(in);
    const auto from = message.getRoot<account_capnp::Account>();
    const auto balance = [](account_capnp::Balance::Reader one) {
        return one.getAmount() + static_cast<double>(one.getCurrency().size());
    };
    double sum = from.getId() + static_cast<double>(from.getName().size()) + from.getState() + balance(from.getWallet());
    if (from.hasAsset()) {
        sum += balance(from.getAsset());
    }
    for (const auto order : from.getOrders()) {
        sum += order.getId() + static_cast<double>(order.getSymbol().size()) + static_cast<double>(order.getSide()) +
               static_cast<double>(order.getType()) + order.getPrice() + order.getVolume();
    }
    return sum;
}

}  // namespace peer::capnp_account
