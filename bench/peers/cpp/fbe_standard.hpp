// The account message in FBE's standard form (252 bytes for the README's account), written by hand for this one schema:
// the size first, one capacity check, stores at constant distances; every offset checked before it is followed.
#pragma once

#include "account.hpp"

namespace peer::standard {

constexpr std::size_t head_size = 8;
constexpr std::uint32_t account_size = 30;
constexpr std::uint32_t balance_size = 20;
constexpr std::uint32_t order_size = 34;
constexpr std::uint32_t order_type = 1;
constexpr std::uint32_t balance_type = 2;
constexpr std::uint32_t account_type = 3;

inline std::size_t size(const Account& value) {
    std::size_t total = head_size + account_size + 4 + value.name.size();
    total += balance_size + 4 + value.wallet.currency.size();
    if (value.asset) {
        total += 4 + balance_size + 4 + value.asset->currency.size();
    }
    total += 4;
    for (const Order& order : value.orders) {
        total += 4 + order_size + 4 + order.symbol.size();
    }
    return total;
}

inline std::byte* store_balance(std::byte* at, const Balance& value) {
    store(at, balance_size);
    store(at + 4, balance_type);
    store(at + 8, balance_size);
    store(at + 12, value.amount);
    return store_text(at + balance_size, value.currency);
}

inline std::byte* store_order(std::byte* at, const Order& value) {
    store(at, order_size);
    store(at + 4, order_type);
    store(at + 8, value.id);
    store(at + 12, order_size);
    store(at + 16, value.side);
    store(at + 17, value.type);
    store(at + 18, value.price);
    store(at + 26, value.volume);
    return store_text(at + order_size, value.symbol);
}

// Writes the message into `out` and gives its size; 0 where it does not fit.
inline std::size_t encode(const Account& value, std::span<std::byte> out) {
    const std::size_t total = size(value);
    if (total > out.size()) {
        return 0;
    }
    std::byte* const message = out.data();
    std::byte* const root = message + head_size;
    const auto from_root = [root](const std::byte* at) { return static_cast<std::uint32_t>(at - root); };
    store(message, static_cast<std::uint32_t>(total));
    store(message + 4, static_cast<std::uint32_t>(head_size));
    store(root, account_size);
    store(root + 4, account_type);
    store(root + 8, value.id);
    store(root + 12, account_size);
    store(root + 16, value.state);
    std::byte* next = store_text(root + account_size, value.name);
    store(root + 17, from_root(next));
    next = store_balance(next, value.wallet);
    store(root + 21, static_cast<std::uint8_t>(value.asset.has_value()));
    store(root + 22, std::uint32_t{0});
    if (value.asset) {
        store(root + 22, from_root(next));
        store(next, std::uint32_t{4});
        next = store_balance(next + 4, *value.asset);
    }
    store(root + 26, from_root(next));
    store(next, static_cast<std::uint32_t>(value.orders.size()));
    std::byte* entry = next + 4;
    next = entry + 4 * value.orders.size();
    for (const Order& order : value.orders) {
        store(entry, from_root(next));
        entry += 4;
        next = store_order(next, order);
    }
    return total;
}

// A place in a message whose bytes were checked to lie within it.
struct Block {
    const std::byte* at = nullptr;
    // Bytes from here to the message's end.
    std::size_t left = 0;
};

// The block of at least `size` bytes and of the given type at `offset` from `base`.
inline bool find_block(Block base, std::uint32_t offset, std::uint32_t size, std::uint32_t type, Block& found) {
    if (offset == 0 || offset > base.left || base.left - offset < 8) {
        return false;
    }
    found = {base.at + offset, base.left - offset};
    const auto stated = load<std::uint32_t>(found.at);
    return stated >= size && stated <= found.left && load<std::uint32_t>(found.at + 4) == type;
}

// The text at `offset` from `base`; an offset of 0 is the empty one.
inline bool find_text(Block base, std::uint32_t offset, std::string_view& found) {
    if (offset == 0) {
        found = {};
        return true;
    }
    if (offset > base.left || base.left - offset < 4) {
        return false;
    }
    const auto length = load<std::uint32_t>(base.at + offset);
    if (length > base.left - offset - 4) {
        return false;
    }
    found = text_at(base.at + offset + 4, length);
    return true;
}

// The block behind an optional's slot, which is the base of the offset in it.
inline bool find_optional(Block base, std::uint32_t offset, std::uint32_t size, std::uint32_t type, Block& found) {
    if (offset == 0 || offset > base.left || base.left - offset < 4) {
        return false;
    }
    const Block slot{base.at + offset, base.left - offset};
    return find_block(slot, load<std::uint32_t>(slot.at), size, type, found);
}

// The table of offsets at `offset` from `base`.
inline bool find_table(Block base, std::uint32_t offset, const std::byte*& table, std::uint32_t& count) {
    if (offset == 0) {
        count = 0;
        return true;
    }
    if (offset > base.left || base.left - offset < 4) {
        return false;
    }
    count = load<std::uint32_t>(base.at + offset);
    table = base.at + offset + 4;
    return count <= (base.left - offset - 4) / 4;
}

inline bool find_root(std::span<const std::byte> in, Block& root) {
    if (in.size() < head_size) {
        return false;
    }
    const auto total = load<std::uint32_t>(in.data());
    if (total > in.size() || total < head_size) {
        return false;
    }
    return find_block({in.data(), total}, load<std::uint32_t>(in.data() + 4), account_size, account_type, root);
}

inline bool read_balance(Block block, Balance& value) {
    std::string_view currency;
    if (!find_text(block, load<std::uint32_t>(block.at + 8), currency)) {
        return false;
    }
    value.currency.assign(currency);
    value.amount = load<double>(block.at + 12);
    return true;
}

inline bool read_order(Block block, Order& value) {
    std::string_view symbol;
    if (!find_text(block, load<std::uint32_t>(block.at + 12), symbol)) {
        return false;
    }
    value.id = load<std::int32_t>(block.at + 8);
    value.symbol.assign(symbol);
    value.side = load<std::uint8_t>(block.at + 16);
    value.type = load<std::uint8_t>(block.at + 17);
    value.price = load<double>(block.at + 18);
    value.volume = load<double>(block.at + 26);
    return true;
}

// Reads a message into `value`, whose memory is used again. False for bytes that are none.
inline bool decode(std::span<const std::byte> in, Account& value) {
    Block root;
    Block block;
    std::string_view name;
    if (!find_root(in, root) || !find_text(root, load<std::uint32_t>(root.at + 12), name)) {
        return false;
    }
    value.id = load<std::int32_t>(root.at + 8);
    value.name.assign(name);
    value.state = load<std::uint8_t>(root.at + 16);
    if (!find_block(root, load<std::uint32_t>(root.at + 17), balance_size, balance_type, block) ||
        !read_balance(block, value.wallet)) {
        return false;
    }
    if (load<std::uint8_t>(root.at + 21) == 0) {
        value.asset.reset();
    } else {
        if (!value.asset) {
            value.asset.emplace();
        }
        if (!find_optional(root, load<std::uint32_t>(root.at + 22), balance_size, balance_type, block) ||
            !read_balance(block, *value.asset)) {
            return false;
        }
    }
    const std::byte* table = nullptr;
    std::uint32_t count = 0;
    if (!find_table(root, load<std::uint32_t>(root.at + 26), table, count)) {
        return false;
    }
    value.orders.resize(count);
    for (Order& order : value.orders) {
        if (!find_block(root, load<std::uint32_t>(table), order_size, order_type, block) ||
            !read_order(block, order)) {
            return false;
        }
        table += 4;
    }
    return true;
}

// Whether `decode` would succeed.
inline bool verify(std::span<const std::byte> in) {
    Block root;
    Block block;
    std::string_view text;
    if (!find_root(in, root) || !find_text(root, load<std::uint32_t>(root.at + 12), text) ||
        !find_block(root, load<std::uint32_t>(root.at + 17), balance_size, balance_type, block) ||
        !find_text(block, load<std::uint32_t>(block.at + 8), text)) {
        return false;
    }
    if (load<std::uint8_t>(root.at + 21) != 0 &&
        (!find_optional(root, load<std::uint32_t>(root.at + 22), balance_size, balance_type, block) ||
         !find_text(block, load<std::uint32_t>(block.at + 8), text))) {
        return false;
    }
    const std::byte* table = nullptr;
    std::uint32_t count = 0;
    if (!find_table(root, load<std::uint32_t>(root.at + 26), table, count)) {
        return false;
    }
    for (std::uint32_t index = 0; index < count; ++index) {
        if (!find_block(root, load<std::uint32_t>(table + 4 * index), order_size, order_type, block) ||
            !find_text(block, load<std::uint32_t>(block.at + 12), text)) {
            return false;
        }
    }
    return true;
}

// Text behind an offset in a verified message.
inline std::string_view verified_text(const std::byte* base, std::uint32_t offset) {
    return offset == 0 ? std::string_view{} : text_at(base + offset + 4, load<std::uint32_t>(base + offset));
}

// Reads every field of a verified message in place; gives a sum over all of them, so that none is left out.
inline double read_all(std::span<const std::byte> in) {
    const std::byte* const root = in.data() + load<std::uint32_t>(in.data() + 4);
    double sum = load<std::int32_t>(root + 8) + load<std::uint8_t>(root + 16);
    sum += static_cast<double>(verified_text(root, load<std::uint32_t>(root + 12)).size());
    const auto balance = [&sum](const std::byte* at) {
        sum += static_cast<double>(verified_text(at, load<std::uint32_t>(at + 8)).size()) + load<double>(at + 12);
    };
    balance(root + load<std::uint32_t>(root + 17));
    if (load<std::uint8_t>(root + 21) != 0) {
        const std::byte* const slot = root + load<std::uint32_t>(root + 22);
        balance(slot + load<std::uint32_t>(slot));
    }
    if (const auto offset = load<std::uint32_t>(root + 26); offset != 0) {
        const std::byte* entry = root + offset + 4;
        for (auto count = load<std::uint32_t>(root + offset); count > 0; --count, entry += 4) {
            const std::byte* const order = root + load<std::uint32_t>(entry);
            sum += load<std::int32_t>(order + 8) + load<std::uint8_t>(order + 16) + load<std::uint8_t>(order + 17);
            sum += static_cast<double>(verified_text(order, load<std::uint32_t>(order + 12)).size());
            sum += load<double>(order + 18) + load<double>(order + 26);
        }
    }
    return sum;
}

}  // namespace peer::standard
