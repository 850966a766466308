// The values of the account message (conformance/vectors/fbe/proto.fbe), and what the hand-written codecs share.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace peer {

struct Order {
    std::int32_t id = 0;
    std::string symbol;
    std::uint8_t side = 0;
    std::uint8_t type = 0;
    double price = 0.0;
    double volume = 0.0;

    bool operator==(const Order&) const = default;
};

struct Balance {
    std::string currency;
    double amount = 0.0;

    bool operator==(const Balance&) const = default;
};

struct Account {
    std::int32_t id = 0;
    std::string name;
    std::uint8_t state = 0;
    Balance wallet;
    std::optional<Balance> asset;
    std::vector<Order> orders;

    bool operator==(const Account&) const = default;
};

static_assert(std::endian::native == std::endian::little, "the peers store numbers as they are");

template <class T>
inline void store(std::byte* at, T value) {
    std::memcpy(at, &value, sizeof value);
}

template <class T>
inline T load(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

inline std::string_view text_at(const std::byte* at, std::size_t length) {
    return {reinterpret_cast<const char*>(at), length};
}

// A u32 length and the text's bytes; gives where the next byte goes.
inline std::byte* store_text(std::byte* at, std::string_view text) {
    store(at, static_cast<std::uint32_t>(text.size()));
    std::memcpy(at + 4, text.data(), text.size());
    return at + 4 + text.size();
}

}  // namespace peer
