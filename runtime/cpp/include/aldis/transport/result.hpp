// What can go wrong, and a value that may be an error instead. Nothing here throws.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace aldis::transport {

// The codes of NACK, CLOSE, UNSUBSCRIBE and REPLY, and from `disconnected` on those that only this side knows.
enum class Code : std::uint32_t {
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
constexpr std::string_view name(Code code) {
    constexpr std::string_view names[] = {
        "normal",      "protocol",     "frame-too-large", "version",  "unauthorized", "too-many-connections", "idle",
        "slow",        "draining",     "gap",             "bad-checksum", "bad-count", "refused",             "handler",
        "credit",      "stale-epoch",  "deadline",        "unsupported",  "unavailable", "superseded"};
    const auto number = static_cast<std::uint32_t>(code);
    if (number < std::size(names)) {
        return names[number];
    }
    switch (code) {
        case Code::disconnected: return "disconnected";
        case Code::closed: return "closed";
        case Code::misused: return "misused";
        default: return "unknown";
    }
}

struct Error {
    Code code = Code::normal;
    std::string text;

    friend bool operator==(const Error&, const Error&) = default;
};

// A `T`, or why there is none. Ask before you dereference.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : value_(std::move(value)) {}
    Result(Error error) : error_(std::move(error)) {}

    explicit operator bool() const { return value_.has_value(); }
    T& operator*() { return *value_; }
    const T& operator*() const { return *value_; }
    T* operator->() { return &*value_; }
    const T* operator->() const { return &*value_; }
    const Error& error() const { return error_; }

private:
    std::optional<T> value_;
    Error error_;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    explicit operator bool() const { return !error_.has_value(); }
    const Error& error() const { return *error_; }

private:
    std::optional<Error> error_;
};

}  // namespace aldis::transport
