// What functions that can fail give back. Nothing here throws, and nothing needs exceptions or RTTI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace aldis {

/// The kinds of faults.
enum class code : std::uint8_t {
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
    constexpr std::string_view names[] = {"truncated", "bad-pointer", "bad-count", "bad-text",
                                          "bad-value", "too-deep",    "too-large", "unknown-message",
                                          "bad-json",  "out-of-range", "no-room"};
    return names[static_cast<std::size_t>(what)];
}

/// A fault and its place.
struct error {
    /// What `offset` is where no byte is to blame.
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

    code what = code::bad_value;
    /// Byte in the input, from 0.
    std::size_t offset = nowhere;
    /// The field: `orders[2].symbol`; empty for the message itself.
    std::string path;

    bool operator==(const error&) const = default;
};

/// `bad-count at byte 26 in orders[2].symbol`
inline std::string to_string(const error& fault) {
    std::string text(to_string(fault.what));
    if (fault.offset != error::nowhere) {
        text += " at byte " + std::to_string(fault.offset);
    }
    if (!fault.path.empty()) {
        text += " in " + fault.path;
    }
    return text;
}

inline std::ostream& operator<<(std::ostream& out, const error& fault) { return out << to_string(fault); }

namespace detail {

/// A fault or none, out of the way of the value. What it is copied or moved from keeps having one, or none.
template <class E>
class held_fault {
public:
    held_fault() noexcept = default;
    held_fault(E what) : held_(std::make_unique<E>(std::move(what))) {}
    held_fault(const held_fault& other) : held_(other.held_ ? std::make_unique<E>(*other.held_) : nullptr) {}
    held_fault(held_fault&& other) noexcept
        : held_(other.held_ ? std::make_unique<E>(std::move(*other.held_)) : nullptr) {}
    held_fault& operator=(held_fault other) noexcept {
        held_.swap(other.held_);
        return *this;
    }
    ~held_fault() = default;

    [[nodiscard]] bool none() const noexcept { return held_ == nullptr; }
    [[nodiscard]] const E& operator*() const noexcept { return *held_; }

private:
    std::unique_ptr<E> held_;
};

}  // namespace detail

/// A value, or the fault of type `E` for which there is none. Copied and moved as the value is.
template <class T, class E>
class [[nodiscard]] basic_result {
public:
    basic_result(T value) : value_(std::move(value)) {}
    basic_result(E fault) : error_(std::move(fault)) {}

    [[nodiscard]] bool ok() const noexcept { return error_.none(); }
    explicit operator bool() const noexcept { return ok(); }

    /// The value; a default one where there is a fault.
    [[nodiscard]] const T& value() const& noexcept { return value_; }
    [[nodiscard]] T& value() & noexcept { return value_; }
    [[nodiscard]] T&& value() && noexcept { return std::move(value_); }
    const T& operator*() const& noexcept { return value_; }
    T& operator*() & noexcept { return value_; }
    T&& operator*() && noexcept { return std::move(value_); }
    const T* operator->() const noexcept { return &value_; }
    T* operator->() noexcept { return &value_; }

    /// The fault; only where there is one.
    [[nodiscard]] const E& error() const noexcept { return *error_; }

private:
    T value_{};
    detail::held_fault<E> error_;
};

/// That it went well, or the fault for which it did not.
template <class E>
class [[nodiscard]] basic_result<void, E> {
public:
    basic_result() noexcept = default;
    basic_result(E fault) : error_(std::move(fault)) {}

    [[nodiscard]] bool ok() const noexcept { return error_.none(); }
    explicit operator bool() const noexcept { return ok(); }

    /// The fault; only where there is one.
    [[nodiscard]] const E& error() const noexcept { return *error_; }

private:
    detail::held_fault<E> error_;
};

/// What codecs give.
template <class T>
using result = basic_result<T, error>;

/// What went wrong, noted where it was found; names are put in front of the path as the fault leaves their fields. Takes
/// no memory until something does go wrong.
class trace {
public:
    [[gnu::cold, gnu::noinline]] void note(code what, std::size_t offset) {
        fault_ = std::make_unique<error>(error{what, offset, {}});
    }

    [[gnu::cold, gnu::noinline]] void note_field(std::string_view name) {
        std::string& path = fault_->path;
        const bool dot = !path.empty() && path.front() != '[';
        path.insert(0, dot ? "." : "");
        path.insert(0, name);
    }

    [[gnu::cold, gnu::noinline]] void note_element(std::size_t index) {
        note_field("[" + std::to_string(index) + "]");
    }

    /// The fault; only where one was noted.
    [[nodiscard]] const error& fault() const noexcept { return *fault_; }

protected:
    std::unique_ptr<error> fault_;
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
