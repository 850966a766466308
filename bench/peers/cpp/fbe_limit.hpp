// FBE's account message once more, by every means that this one schema allows: what an expert would write who counts
// instructions. Texts up to 15 characters are moved by 16 bytes, sizes and types are compared and stored eight bytes at a time,
// and a message of short texts is written in one pass. Everything else goes the way of `fbe_standard.hpp`.
#pragma once

#include "fbe_standard.hpp"

namespace peer::limit {

// A place in a message, and the bytes from there to its end.
struct Block {
    const std::byte* at = nullptr;
    std::size_t left = 0;
};

// Characters that a string holds in itself: so many bytes and one more may be read and written, whatever its size is.
constexpr std::size_t short_text = 15;

constexpr std::uint64_t head_of(std::uint32_t size, std::uint32_t type) {
    return std::uint64_t{type} << 32 | size;
}

// Writes a text of at most `short_text` characters, and some bytes behind it.
inline std::byte* put_text(std::byte* at, const std::string& text) {
    store(at, static_cast<std::uint32_t>(text.size()));
    std::memcpy(at + 4, text.data(), short_text + 1);
    return at + 4 + text.size();
}

inline std::byte* put_balance(std::byte* at, const Balance& value) {
    store(at, head_of(standard::balance_size, standard::balance_type));
    store(at + 8, standard::balance_size);
    store(at + 12, value.amount);
    return put_text(at + standard::balance_size, value.currency);
}

// Writes the message into `out` and gives its size; 0 where it does not fit.
inline std::size_t encode(const Account& value, std::span<std::byte> out) {
    // The most that short texts take, and the bytes behind the last.
    constexpr std::size_t most_text = 4 + short_text + 1;
    constexpr std::size_t most = standard::head_size + standard::account_size + most_text +
                                 2 * (4 + standard::balance_size + most_text) + 4;
    constexpr std::size_t most_order = 4 + standard::order_size + most_text;
    const bool is_short = value.name.size() <= short_text && value.wallet.currency.size() <= short_text &&
                          (!value.asset || value.asset->currency.size() <= short_text);
    if (!is_short || out.size() < most || value.orders.size() > (out.size() - most) / most_order) {
        return standard::encode(value, out);
    }
    std::byte* const message = out.data();
    std::byte* const root = message + standard::head_size;
    const auto from_root = [root](const std::byte* at) { return static_cast<std::uint32_t>(at - root); };
    store(message + 4, static_cast<std::uint32_t>(standard::head_size));
    store(root, head_of(standard::account_size, standard::account_type));
    store(root + 8, value.id);
    store(root + 12, standard::account_size);
    store(root + 16, value.state);
    std::byte* next = put_text(root + standard::account_size, value.name);
    store(root + 17, from_root(next));
    next = put_balance(next, value.wallet);
    store(root + 21, static_cast<std::uint8_t>(value.asset.has_value()));
    store(root + 22, value.asset ? from_root(next) : 0);
    if (value.asset) {
        store(next, std::uint32_t{4});
        next = put_balance(next + 4, *value.asset);
    }
    store(root + 26, from_root(next));
    store(next, static_cast<std::uint32_t>(value.orders.size()));
    std::byte* entry = next + 4;
    next = entry + 4 * value.orders.size();
    for (const Order& order : value.orders) {
        if (order.symbol.size() > short_text) [[unlikely]] {
            return standard::encode(value, out);
        }
        store(entry, from_root(next));
        entry += 4;
        store(next, head_of(standard::order_size, standard::order_type));
        store(next + 8, order.id);
        store(next + 12, standard::order_size);
        store(next + 16, order.side);
        store(next + 17, order.type);
        store(next + 18, order.price);
        store(next + 26, order.volume);
        next = put_text(next + standard::order_size, order.symbol);
    }
    const auto total = static_cast<std::size_t>(next - message);
    store(message, static_cast<std::uint32_t>(total));
    return total;
}

// The block at `offset` from `base`, mostly of this very size; an offset of 0 becomes one that is too large.
template <std::uint32_t Size, std::uint32_t Type>
inline bool find_block(Block base, std::uint32_t offset, Block& found) {
    if (std::uint64_t{offset - 1} + 1 + Size > base.left) {
        return false;
    }
    found = {base.at + offset, base.left - offset};
    if (load<std::uint64_t>(found.at) == head_of(Size, Type)) [[likely]] {
        return true;
    }
    standard::Block of_newer;
    return standard::find_block({base.at, base.left}, offset, Size, Type, of_newer);
}

// The length of the text, or list, at `offset` from `base`; it is 0 at an offset of 0.
inline bool find_count(Block base, std::uint32_t offset, std::uint32_t each, Block& found, std::uint32_t& count) {
    count = 0;
    if (std::uint64_t{offset - 1} + 5 > base.left) [[unlikely]] {
        return offset == 0;
    }
    found = {base.at + offset + 4, base.left - offset - 4};
    count = load<std::uint32_t>(found.at - 4);
    return std::uint64_t{count} * each <= found.left;
}

inline bool read_text(Block base, std::uint32_t offset, std::string& value) {
    Block text;
    std::uint32_t length = 0;
    if (!find_count(base, offset, 1, text, length)) {
        return false;
    }
    if (length > short_text || length > value.size() || text.left <= short_text) [[unlikely]] {
        value.assign(reinterpret_cast<const char*>(text.at), length);
        return true;
    }
    std::memcpy(value.data(), text.at, short_text + 1);
    value.resize(length);
    value.data()[length] = '\0';
    return true;
}

inline bool read_balance(Block block, Balance& value) {
    value.amount = load<double>(block.at + 12);
    return read_text(block, load<std::uint32_t>(block.at + 8), value.currency);
}

inline bool find_root(std::span<const std::byte> in, Block& root) {
    if (in.size() < standard::head_size) {
        return false;
    }
    const auto total = load<std::uint32_t>(in.data());
    return total <= in.size() && find_block<standard::account_size, standard::account_type>(
                                     {in.data(), total}, load<std::uint32_t>(in.data() + 4), root);
}

// The block behind the slot of the optional balance.
inline bool find_asset(Block root, Block& block) {
    const auto offset = load<std::uint32_t>(root.at + 22);
    if (std::uint64_t{offset - 1} + 5 > root.left) {
        return false;
    }
    const Block slot{root.at + offset, root.left - offset};
    return find_block<standard::balance_size, standard::balance_type>(slot, load<std::uint32_t>(slot.at), block);
}

// Reads a message into `value`, whose memory is used again. False for bytes that are none.
inline bool decode(std::span<const std::byte> in, Account& value) {
    Block root;
    Block block;
    Block table;
    std::uint32_t count = 0;
    if (!find_root(in, root) || !read_text(root, load<std::uint32_t>(root.at + 12), value.name) ||
        !find_block<standard::balance_size, standard::balance_type>(root, load<std::uint32_t>(root.at + 17), block) ||
        !read_balance(block, value.wallet)) {
        return false;
    }
    value.id = load<std::int32_t>(root.at + 8);
    value.state = load<std::uint8_t>(root.at + 16);
    if (load<std::uint8_t>(root.at + 21) == 0) {
        value.asset.reset();
    } else {
        if (!value.asset) {
            value.asset.emplace();
        }
        if (!find_asset(root, block) || !read_balance(block, *value.asset)) {
            return false;
        }
    }
    if (!find_count(root, load<std::uint32_t>(root.at + 26), 4, table, count)) {
        return false;
    }
    if (value.orders.size() != count) {
        value.orders.resize(count);
    }
    const std::byte* entry = table.at;
    for (Order& order : value.orders) {
        if (!find_block<standard::order_size, standard::order_type>(root, load<std::uint32_t>(entry), block) ||
            !read_text(block, load<std::uint32_t>(block.at + 12), order.symbol)) {
            return false;
        }
        order.id = load<std::int32_t>(block.at + 8);
        order.side = load<std::uint8_t>(block.at + 16);
        order.type = load<std::uint8_t>(block.at + 17);
        order.price = load<double>(block.at + 18);
        order.volume = load<double>(block.at + 26);
        entry += 4;
    }
    return true;
}

// Whether `decode` would succeed.
inline bool verify(std::span<const std::byte> in) {
    Block root;
    Block block;
    Block table;
    std::uint32_t count = 0;
    const auto has_text = [&table, &count](Block base, std::size_t at) {
        return find_count(base, load<std::uint32_t>(base.at + at), 1, table, count);
    };
    if (!find_root(in, root) || !has_text(root, 12) ||
        !find_block<standard::balance_size, standard::balance_type>(root, load<std::uint32_t>(root.at + 17), block) ||
        !has_text(block, 8)) {
        return false;
    }
    if (load<std::uint8_t>(root.at + 21) != 0 && (!find_asset(root, block) || !has_text(block, 8))) {
        return false;
    }
    if (!find_count(root, load<std::uint32_t>(root.at + 26), 4, table, count)) {
        return false;
    }
    const std::byte* entry = table.at;
    for (const std::byte* const end = entry + std::size_t{count} * 4; entry != end; entry += 4) {
        if (!find_block<standard::order_size, standard::order_type>(root, load<std::uint32_t>(entry), block) ||
            !has_text(block, 12)) {
            return false;
        }
    }
    return true;
}

}  // namespace peer::limit
