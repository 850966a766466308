// The account message by FlatBuffers: built from plain values with a builder that is used again, and from and into the
// library's own objects.
#pragma once

#include "account.hpp"
#include "account_generated.h"

namespace peer::flat_buffers {

using Message = account_flatbuffers::AccountT;

inline auto build(flatbuffers::FlatBufferBuilder& builder, const Balance& from) {
    const auto currency = builder.CreateString(from.currency);
    return account_flatbuffers::CreateBalance(builder, currency, from.amount);
}

// The message's bytes, which are the builder's.
inline std::span<const std::byte> encode(const Account& from, flatbuffers::FlatBufferBuilder& builder) {
    builder.Clear();
    const auto name = builder.CreateString(from.name);
    const auto wallet = build(builder, from.wallet);
    const auto asset = from.asset ? build(builder, *from.asset) : flatbuffers::Offset<account_flatbuffers::Balance>();
    const auto orders = builder.CreateVector<flatbuffers::Offset<account_flatbuffers::Order>>(
        from.orders.size(), [&](std::size_t index) {
            const Order& order = from.orders[index];
            const auto symbol = builder.CreateString(order.symbol);
            return account_flatbuffers::CreateOrder(
                builder, order.id, symbol, static_cast<account_flatbuffers::Side>(order.side),
                static_cast<account_flatbuffers::Type>(order.type), order.price, order.volume);
        });
    builder.Finish(account_flatbuffers::CreateAccount(builder, from.id, name, from.state, wallet, asset, orders));
    return {reinterpret_cast<const std::byte*>(builder.GetBufferPointer()), builder.GetSize()};
}

inline const account_flatbuffers::Account* verified(std::span<const std::byte> in) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(in.data());
    flatbuffers::Verifier verifier(bytes, in.size());
    return account_flatbuffers::VerifyAccountBuffer(verifier) ? account_flatbuffers::GetAccount(bytes) : nullptr;
}

inline bool decode(std::span<const std::byte> in, Message& to) {
    const auto* const account = verified(in);
    if (account == nullptr) {
        return false;
    }
    account->UnPackTo(&to);
    return true;
}

// Verifies, then adds up all numbers and the lengths of all texts; 0 for bad bytes.
inline double read_all(std::span<const std::byte> in) {
    const auto* const account = verified(in);
    if (account == nullptr) {
        return 0;
    }
    const auto length = [](const flatbuffers::String* text) { return text == nullptr ? 0.0 : text->size(); };
    const auto balance = [&](const account_flatbuffers::Balance* one) {
        return one == nullptr ? 0.0 : one->amount() + length(one->currency());
    };
    double sum = account->id() + length(account->name()) + account->state() + balance(account->wallet()) +
                 balance(account->asset());
    if (const auto* const orders = account->orders(); orders != nullptr) {
        for (const auto* const order : *orders) {
            sum += order->id() + length(order->symbol()) + static_cast<int>(order->side()) +
                   static_cast<int>(order->type()) + order->price() + order->volume();
        }
    }
    return sum;
}

}  // namespace peer::flat_buffers
