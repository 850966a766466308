// The account message in FBE's Final form (152 bytes for the README's account), written by hand for this one schema.
#pragma once

#include "account.hpp"

namespace peer::final_form {

constexpr std::size_t head_size = 8;
constexpr std::uint32_t account_type = 3;
// Bytes of an order beside those of its symbol.
constexpr std::size_t order_fixed = 4 + 4 + 1 + 1 + 8 + 8;

inline std::size_t size(const Account& value) {
    std::size_t total = head_size + 4 + 4 + value.name.size() + 1 + 4 + value.wallet.currency.size() + 8 + 1;
    if (value.asset) {
        total += 4 + value.asset->currency.size() + 8;
    }
    total += 4;
    for (const Order& order : value.orders) {
        total += order_fixed + order.symbol.size();
    }
    return total;
}

inline std::byte* store_balance(std::byte* at, const Balance& value) {
    at = store_text(at, value.currency);
    store(at, value.amount);
    return at + 8;
}

// Writes the message into `out` and gives its size; 0 where it does not fit.
inline std::size_t encode(const Account& value, std::span<std::byte> out) {
    const std::size_t total = size(value);
    if (total > out.size()) {
        return 0;
    }
    std::byte* at = out.data();
    store(at, static_cast<std::uint32_t>(total));
    store(at + 4, account_type);
    store(at + 8, value.id);
    at = store_text(at + 12, value.name);
    store(at, value.state);
    at = store_balance(at + 1, value.wallet);
    store(at, static_cast<std::uint8_t>(value.asset.has_value()));
    ++at;
    if (value.asset) {
        at = store_balance(at, *value.asset);
    }
    store(at, static_cast<std::uint32_t>(value.orders.size()));
    at += 4;
    for (const Order& order : value.orders) {
        store(at, order.id);
        at = store_text(at + 4, order.symbol);
        store(at, order.side);
        store(at + 1, order.type);
        store(at + 2, order.price);
        store(at + 10, order.volume);
        at += 18;
    }
    return total;
}

// The bytes that are left to read.
struct Cursor {
    const std::byte* at;
    const std::byte* end;

    [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end - at); }
};

// Reads a length and that many bytes, behind which `after` more must follow.
inline bool take_text(Cursor& cursor, std::size_t after, std::string_view& text) {
    if (cursor.left() < 4) {
        return false;
    }
    const auto length = load<std::uint32_t>(cursor.at);
    if (length > cursor.left() - 4 || cursor.left() - 4 - length < after) {
        return false;
    }
    text = text_at(cursor.at + 4, length);
    cursor.at += 4 + length;
    return true;
}

inline bool take_balance(Cursor& cursor, Balance& value) {
    std::string_view currency;
    if (!take_text(cursor, 8, currency)) {
        return false;
    }
    value.currency.assign(currency);
    value.amount = load<double>(cursor.at);
    cursor.at += 8;
    return true;
}

// Reads a message into `value`, whose memory is used again. False for bytes that are none.
inline bool decode(std::span<const std::byte> in, Account& value) {
    if (in.size() < head_size + 4 || load<std::uint32_t>(in.data() + 4) != account_type) {
        return false;
    }
    Cursor cursor{in.data() + 12, in.data() + in.size()};
    value.id = load<std::int32_t>(in.data() + 8);
    std::string_view text;
    if (!take_text(cursor, 1, text)) {
        return false;
    }
    value.name.assign(text);
    value.state = load<std::uint8_t>(cursor.at);
    ++cursor.at;
    if (!take_balance(cursor, value.wallet) || cursor.left() < 1) {
        return false;
    }
    const bool has_asset = load<std::uint8_t>(cursor.at) != 0;
    ++cursor.at;
    if (!has_asset) {
        value.asset.reset();
    } else {
        if (!value.asset) {
            value.asset.emplace();
        }
        if (!take_balance(cursor, *value.asset)) {
            return false;
        }
    }
    if (cursor.left() < 4) {
        return false;
    }
    const auto count = load<std::uint32_t>(cursor.at);
    cursor.at += 4;
    if (count > cursor.left() / order_fixed) {
        return false;
    }
    value.orders.resize(count);
    for (Order& order : value.orders) {
        if (cursor.left() < order_fixed) {
            return false;
        }
        order.id = load<std::int32_t>(cursor.at);
        cursor.at += 4;
        if (!take_text(cursor, 18, text)) {
            return false;
        }
        order.symbol.assign(text);
        order.side = load<std::uint8_t>(cursor.at);
        order.type = load<std::uint8_t>(cursor.at + 1);
        order.price = load<double>(cursor.at + 2);
        order.volume = load<double>(cursor.at + 10);
        cursor.at += 18;
    }
    return load<std::uint32_t>(in.data()) == static_cast<std::size_t>(cursor.at - in.data());
}

}  // namespace peer::final_form
