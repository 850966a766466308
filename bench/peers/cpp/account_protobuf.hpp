// The account message by Protocol Buffers, from and into the library's own objects.
#pragma once

#include "account.hpp"
#include "account.pb.h"

namespace peer::protobuf {

using Message = account_protobuf::Account;

inline void fill(const Balance& from, account_protobuf::Balance& to) {
    to.set_currency(from.currency);
    to.set_amount(from.amount);
}

inline Message message_of(const Account& from) {
    Message to;
    to.set_id(from.id);
    to.set_name(from.name);
    to.set_state(from.state);
    fill(from.wallet, *to.mutable_wallet());
    if (from.asset) {
        fill(*from.asset, *to.mutable_asset());
    }
    for (const Order& order : from.orders) {
        account_protobuf::Order& made = *to.add_orders();
        made.set_id(order.id);
        made.set_symbol(order.symbol);
        made.set_side(static_cast<account_protobuf::Side>(order.side));
        made.set_type(static_cast<account_protobuf::Type>(order.type));
        made.set_price(order.price);
        made.set_volume(order.volume);
    }
    return to;
}

// The message's size; 0 where `out` is too small.
inline std::size_t encode(const Message& from, std::span<std::byte> out) {
    return from.SerializeToArray(out.data(), static_cast<int>(out.size())) ? static_cast<std::size_t>(from.GetCachedSize())
                                                                           : 0;
}

inline bool decode(std::span<const std::byte> in, Message& to) {
    return to.ParseFromArray(in.data(), static_cast<int>(in.size()));
}

}  // namespace peer::protobuf
