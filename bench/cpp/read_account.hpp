// Every field of FBE's account message through its view.
#pragma once

#include "proto_view.hpp"

/// A sum over every field of a view, so that none is left out.
inline double read_all(const proto::view::Account& account) {
    double sum = account.id() + static_cast<std::uint8_t>(account.state()) + static_cast<double>(account.name().size());
    const auto balance = [&sum](const proto::view::Balance& from) {
        sum += static_cast<double>(from.currency().size()) + from.amount();
    };
    balance(account.wallet());
    if (const auto asset = account.asset()) {
        balance(*asset);
    }
    for (const auto& order : account.orders()) {
        sum += order.id() + static_cast<std::uint8_t>(order.side()) + static_cast<std::uint8_t>(order.type());
        sum += static_cast<double>(order.symbol().size());
        sum += order.price() + order.volume();
    }
    return sum;
}
