// The faults of a connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "../result.hpp"

namespace aldis::transport {

// The codes of NACK, CLOSE, UNSUBSCRIBE and REPLY, and from `disconnected` on those that only this side knows.
enum class error_code : std::uint32_t {
    normal = 0,
    protocol = 1,
    frame_too_large = 2,
    version = 3,
    unauthorized = 4,
    too_many_connections = 5,
    idle = 6,
    slow = 7,
    draining = 8,
    gap = 9,
    bad_checksum = 10,
    bad_count = 11,
    refused = 12,
    handler = 13,
    credit = 14,
    stale_epoch = 15,
    deadline = 16,
    unsupported = 17,
    unavailable = 18,
    superseded = 19,
    disconnected = 0x10000,
    closed = 0x10001,
    misused = 0x10002,
};

// The name of a code as docs/protocol.md has it; "unknown" for one that it has not.
constexpr std::string_view to_string(error_code code) {
    constexpr std::string_view names[] = {
        "normal",      "protocol",  "frame-too-large", "version",     "unauthorized", "too-many-connections",
        "idle",        "slow",      "draining",        "gap",         "bad-checksum", "bad-count",
        "refused",     "handler",   "credit",          "stale-epoch", "deadline",     "unsupported",
        "unavailable", "superseded"};
    const auto number = static_cast<std::uint32_t>(code);
    if (number < std::size(names)) {
        return names[number];
    }
    switch (code) {
        case error_code::disconnected: return "disconnected";
        case error_code::closed: return "closed";
        case error_code::misused: return "misused";
        default: return "unknown";
    }
}

struct error {
    error_code code = error_code::normal;
    std::string text;

    friend bool operator==(const error&, const error&) = default;
};

inline error too_large(std::size_t size, std::size_t most, std::string_view what = "a message") {
    return {error_code::frame_too_large,
            std::string(what) + " of " + std::to_string(size) + " bytes; the server takes " + std::to_string(most)};
}

template <class T>
using result = basic_result<T, error>;

}  // namespace aldis::transport
