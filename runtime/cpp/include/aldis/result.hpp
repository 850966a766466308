// The results of functions that can fail. Nothing here throws, and nothing needs exceptions or RTTI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>

#include "lifetime.hpp"
#include "owned.hpp"
#include "phrase.hpp"

namespace aldis {

/// The kinds of faults.
enum class code : std::uint8_t {
    /// No fault: what `error()` of a success says.
    none,
    /// The bytes end too early.
    truncated,
    /// A link leads outside of the message, or is null where there must be a value.
    bad_pointer,
    /// A count or length is larger than the bytes can hold.
    bad_count,
    /// Text is not in its encoding.
    bad_text,
    /// Bytes, or a value, that the format does not allow.
    bad_value,
    /// Records nest deeper than the limit.
    too_deep,
    /// More bytes would have to be visited than the budget allows.
    too_large,
    /// No such message, or the bytes are another one.
    unknown_message,
    /// Not JSON, or not this message's JSON.
    bad_json,
    /// A number or length that its type cannot hold.
    out_of_range,
    /// The memory that was given is too small for the message.
    no_room,
};

/// The code as logs and protocols spell it: `bad-pointer`.
constexpr std::string_view to_string(code what) noexcept {
    constexpr std::string_view names[] = {"none",      "truncated", "bad-pointer",     "bad-count", "bad-text",     "bad-value",
                                          "too-deep",  "too-large", "unknown-message", "bad-json",  "out-of-range", "no-room"};
    return names[static_cast<std::size_t>(what)];
}

/// A fault and its place; without a fault where it is made by default.
struct error {
    /// The `offset` of a fault for which no byte is to blame.
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

    code what = code::none;
    /// Byte in the input, from 0.
    std::size_t offset = nowhere;
    /// The field: `orders[2].symbol`; empty for the message itself.
    std::string path;
    /// The value that is at fault, and what its field takes, where the code and the field do not say it all.
    std::string text = {};

    /// Whether the same is wrong at the same place; the words on it do not count.
    bool operator==(const error& other) const noexcept {
        return what == other.what && offset == other.offset && path == other.path;
    }
};

/// `bad-count at byte 26 in orders[2].symbol`, `out-of-range at byte 6 in id: 300 is not a whole number from 0 to 255`
inline std::string to_string(const error& fault) {
    detail::phrase text;
    text.add(to_string(fault.what));
    if (fault.offset != error::nowhere) {
        text.add(" at byte ").add(fault.offset);
    }
    if (!fault.path.empty()) {
        text.add(" in ").add(fault.path);
    }
    if (!fault.text.empty()) {
        text.add(": ").add(fault.text);
    }
    return text.take();
}

template <class Traits>
inline std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const error& fault) {
    return out << to_string(fault);
}

namespace detail {

/// A fault or none, out of the way of the value. The source of a copy or a move keeps its fault, if it has one.
template <class E>
class held_fault {
public:
    held_fault() noexcept = default;
    [[gnu::cold, gnu::noinline]] held_fault(E what) : held_(new E(std::move(what))) {}
    explicit held_fault(owned<E> what) noexcept : held_(std::move(what)) {}
    held_fault(const held_fault& other) : held_(other.held_.copy()) {}
    held_fault(held_fault&& other) noexcept : held_(other.none() ? nullptr : new E(std::move(*other.held_))) {}
    held_fault& operator=(held_fault other) noexcept {
        held_.swap(other.held_);
        return *this;
    }
    ~held_fault() = default;

    [[nodiscard]] bool none() const noexcept { return held_ == nullptr; }
    /// The fault; where there is none, one that is made by default.
    [[nodiscard]] const E& operator*() const noexcept { return none() ? nothing() : *held_; }

    /// The fault that stands for none.
    [[gnu::cold, gnu::noinline]] static const E& nothing() noexcept {
        static const E without_fault{};
        return without_fault;
    }

private:
    owned<E> held_;
};

inline constexpr std::string_view deeper = "it nests deeper than `limits::depth` allows";

/// `70000 bytes, where there may be 0 to 65535`
[[gnu::cold, gnu::noinline]] inline std::string beyond(
    std::string_view what, std::uint64_t count, std::uint64_t most, std::uint64_t least = 0) {
    return phrase().add(count).add(" ").add(what).add(", where there may be ").add(least).add(" to ").add(most).take();
}

[[gnu::cold, gnu::noinline]] inline error no_room(std::uint64_t size) {
    return {code::no_room, error::nowhere, {},
            phrase().add("the message has ").add(size).add(" bytes, more than there is room for").take()};
}

}  // namespace detail

/// A value, or the fault of type `E` for which there is none. Copied and moved as the value is.
template <class T, class E>
class [[nodiscard]] basic_result {
public:
    basic_result(T value) : value_(std::move(value)) {}
    basic_result(E fault) : error_(std::move(fault)) {}
    explicit basic_result(detail::owned<E> fault) noexcept : error_(std::move(fault)) {}

    [[nodiscard]] bool ok() const noexcept { return error_.none(); }
    explicit operator bool() const noexcept { return ok(); }

    /// The value; a default one where there is a fault.
    [[nodiscard]] const T& value() const& noexcept ALDIS_LIFETIMEBOUND { return value_; }
    [[nodiscard]] T& value() & noexcept ALDIS_LIFETIMEBOUND { return value_; }
    [[nodiscard]] T&& value() && noexcept ALDIS_LIFETIMEBOUND { return std::move(value_); }
    const T& operator*() const& noexcept ALDIS_LIFETIMEBOUND { return value_; }
    T& operator*() & noexcept ALDIS_LIFETIMEBOUND { return value_; }
    T&& operator*() && noexcept ALDIS_LIFETIMEBOUND { return std::move(value_); }
    const T* operator->() const noexcept ALDIS_LIFETIMEBOUND { return &value_; }
    T* operator->() noexcept ALDIS_LIFETIMEBOUND { return &value_; }

    /// The fault; `E{}` for a success, which says that there is none (`aldis::code::none`).
    [[nodiscard]] const E& error() const& noexcept ALDIS_LIFETIMEBOUND { return *error_; }
    /// The fault of a result that is about to be gone, as a value of its own.
    [[nodiscard]] E error() && { return *error_; }

private:
    T value_{};
    detail::held_fault<E> error_;
};

/// A success without a value, or a fault.
template <class E>
class [[nodiscard]] basic_result<void, E> {
public:
    basic_result() noexcept = default;
    basic_result(E fault) : error_(std::move(fault)) {}

    [[nodiscard]] bool ok() const noexcept { return error_.none(); }
    explicit operator bool() const noexcept { return ok(); }

    /// The fault; `E{}` for a success, which says that there is none (`aldis::code::none`).
    [[nodiscard]] const E& error() const& noexcept ALDIS_LIFETIMEBOUND { return *error_; }
    /// The fault of a result that is about to be gone, as a value of its own.
    [[nodiscard]] E error() && { return *error_; }

private:
    detail::held_fault<E> error_;
};

/// The result of codecs.
template <class T>
using result = basic_result<T, error>;

/// A fault, noted where it was found. As the fault leaves a field, the field's name is put in front of its path: `symbol`,
/// then `[2].symbol`, then `orders[2].symbol`. A trace takes no memory until there is a fault.
class trace {
public:
    [[gnu::cold, gnu::noinline]] void note(code what, std::size_t offset) {
        fault_ = detail::owned<error>(new error{what, offset, {}});
    }

    /// Puts words on the fault that was noted last.
    [[gnu::cold, gnu::noinline]] void say(std::string text) { fault_->text = std::move(text); }

    [[gnu::cold, gnu::noinline]] void note_field(std::string_view name) {
        std::string& path = fault_->path;
        const bool dot = !path.empty() && path.front() != '[';
        path = detail::phrase().add_shortened(name).add(dot ? "." : "").add(path).take();
    }

    [[gnu::cold, gnu::noinline]] void note_element(std::size_t index) {
        note_field(detail::phrase().add("[").add(index).add("]").take());
    }

    /// The fault; where none was noted, one of `code::none`.
    [[nodiscard]] const error& fault() const noexcept ALDIS_LIFETIMEBOUND {
        return fault_ == nullptr ? detail::held_fault<error>::nothing() : *fault_;
    }
    /// Gives it to the result of a function that is about to end.
    [[nodiscard, gnu::cold, gnu::noinline]] detail::owned<error> take_fault() {
        return fault_ == nullptr ? detail::owned<error>(new error) : std::move(fault_);
    }

protected:
    detail::owned<error> fault_;
};

/// A trace of functions that answer false when they fail.
class answering_trace : public trace {
public:
    [[gnu::cold, gnu::noinline]] bool in_field(std::string_view name) {
        note_field(name);
        return false;
    }
    [[gnu::cold, gnu::noinline]] bool in_element(std::size_t index) {
        note_element(index);
        return false;
    }
};

}  // namespace aldis
