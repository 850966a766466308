// Writing a message: first how many bytes it takes, and whether it can be written at all; then stores without a check.
#pragma once

#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "lifetime.hpp"
#include "limits.hpp"
#include "owned.hpp"
#include "result.hpp"
#include "values.hpp"

namespace aldis {

/// Adds up the size of a message.
class sizer : public answering_trace {
public:
    /// Part of `unpaid`: the message may be too deep, which only reading it tells.
    static constexpr std::uint64_t depth_unknown = std::uint64_t{1} << 63;

    explicit sizer(const limits& most) noexcept : depth_(most.depth) {}

    void add(std::uint64_t bytes) noexcept { size_ += bytes; }
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    /// Adds `count` elements that take no bytes.
    void add_empty(std::uint64_t count) noexcept { unpaid_ += empty_element * count; }
    /// The charge of readers for elements without bytes: 8 for each of them.
    [[nodiscard]] std::uint64_t unpaid() const noexcept { return unpaid_; }
    /// The sum so far; adding begins anew.
    [[nodiscard]] std::uint64_t take_size() noexcept { return std::exchange(size_, 0); }
    /// Begins anew for what may nest `depth` records.
    void start(std::uint32_t depth) noexcept {
        size_ = 0;
        depth_ = depth;
    }

    /// Notes a fault, and words on it where the code does not say it all. Nothing that comes later hides the first fault.
    [[gnu::cold, gnu::noinline]] bool fail(code what, std::string_view words = {}) {
        if (fault_ == nullptr) {
            note(what, error::nowhere);
            say(std::string(words));
        }
        return false;
    }

    /// A required field is missing.
    [[gnu::cold, gnu::noinline]] bool refuse(std::string_view name) {
        fail(code::bad_value, "it has no value");
        return in_field(name);
    }

    /// Enters a record, where records may nest deeper than the limit.
    [[nodiscard]] bool enter() {
        if (depth_ == 0) {
            return fail(code::too_deep, detail::deeper);
        }
        --depth_;
        return true;
    }
    void leave() noexcept { ++depth_; }
    /// Notes a record of up to so many levels whose code does not count them, as it may not go beyond the limit by itself.
    void pass_uncounted(std::uint32_t levels) noexcept { unpaid_ |= levels > depth_ ? depth_unknown : 0; }

    /// Whether a count or length is within what its number on the wire may say.
    [[nodiscard]] bool within(std::uint64_t count, std::uint64_t least, std::uint64_t most) {
        return (count >= least && count <= most) || outside(count, least, most);
    }

    [[gnu::cold, gnu::noinline]] bool outside(std::uint64_t count, std::uint64_t least, std::uint64_t most,
                                              std::string_view what = "elements or bytes") {
        return fail(code::out_of_range, detail::beyond(what, count, most, least));
    }

protected:
    std::uint64_t unpaid_ = 0;

private:
    std::uint64_t size_ = 0;
    std::uint32_t depth_;
};

/// Bytes that grow as needed and are used again: what they hold is what was written last. A buffer that was moved from is
/// empty, and may be used again.
class buffer {
public:
    buffer() noexcept = default;
    buffer(buffer&& other) noexcept
        : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0)) {}
    buffer& operator=(buffer&& other) noexcept {
        buffer taken(std::move(other));
        bytes_.swap(taken.bytes_);
        std::swap(size_, taken.size_);
        std::swap(capacity_, taken.capacity_);
        return *this;
    }
    ~buffer() = default;

    /// Memory for `size` bytes; what it holds is not defined.
    [[nodiscard]] std::span<std::byte> prepare(std::size_t size) & ALDIS_LIFETIMEBOUND {
        if (size > capacity_) {
            bytes_ = detail::owned<std::byte[]>(new std::byte[size]);
            capacity_ = size;
        }
        size_ = size;
        return {bytes_.get(), size};
    }

    /// Memory for `size` bytes, of which the first ones stay what they are. Grows by half at the least, so that a message
    /// which grows bit by bit is copied few times.
    [[nodiscard]] std::span<std::byte> extend(std::size_t size) & ALDIS_LIFETIMEBOUND {
        if (size > capacity_) {
            const auto larger = static_cast<std::size_t>(detail::larger(size, capacity_ + capacity_ / 2));
            detail::owned<std::byte[]> grown(new std::byte[larger]);
            if (size_ > 0) {
                std::memcpy(grown.get(), bytes_.get(), size_);
            }
            bytes_ = std::move(grown);
            capacity_ = larger;
        }
        size_ = size;
        return {bytes_.get(), size};
    }

    [[nodiscard]] std::span<const std::byte> bytes() const& noexcept ALDIS_LIFETIMEBOUND { return {bytes_.get(), size_}; }
    std::span<const std::byte> bytes() const&& = delete;
    /// The same, to be written to.
    [[nodiscard]] std::span<std::byte> written() & noexcept ALDIS_LIFETIMEBOUND { return {bytes_.get(), size_}; }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

private:
    detail::owned<std::byte[]> bytes_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

/// Writes bytes as they are; gives the place behind them.
inline std::byte* store_bytes(std::byte* at, std::string_view bytes) noexcept {
    if (bytes.size() <= detail::short_size) {
        detail::copy_short(at, bytes.data(), bytes.size());
    } else {
        std::memcpy(at, bytes.data(), bytes.size());
    }
    return at + bytes.size();
}
inline std::byte* store_bytes(std::byte* at, std::span<const std::byte> bytes) noexcept {
    if (!bytes.empty()) {
        std::memcpy(at, bytes.data(), bytes.size());
    }
    return at + bytes.size();
}

/// The same for bytes of a message that ends at `end` and is written from its beginning on: what is behind them may be anything
/// until it is written, too.
template <class Memory>
inline std::byte* store_bytes(
    std::byte* at, const std::basic_string<char, std::char_traits<char>, Memory>& text, const std::byte* end) noexcept {
    if (detail::has_short_room && text.size() < detail::short_size &&
        static_cast<std::size_t>(end - at) >= detail::short_size) {
        std::memcpy(at, text.data(), detail::short_size);
        return at + text.size();
    }
    return store_bytes(at, std::string_view(text));
}
inline std::byte* store_bytes(std::byte* at, std::string_view text, const std::byte* /*end*/) noexcept {
    return store_bytes(at, text);
}
inline std::byte* store_bytes(std::byte* at, std::span<const std::byte> bytes, const std::byte* /*end*/) noexcept {
    return store_bytes(at, bytes);
}

/// Writes text into a field of fixed size that it is known to fit, NUL behind it.
inline void store_chars(std::byte* at, std::size_t size, std::string_view text) noexcept {
    // The size is a constant for the compiler, which the size of the rest is not: this is a store or two.
    std::memset(at, 0, size);
    store_bytes(at, text);
}

/// Writes numbers side by side; gives the place behind them.
template <std::endian Order, class T, class Memory>
inline std::byte* store_rows(std::byte* at, const std::vector<T, Memory>& values) {
    if constexpr (std::is_same_v<T, bool>) {
        for (const bool value : values) {
            *at++ = static_cast<std::byte>(value);
        }
        return at;
    } else {
        store_row<Order>(at, values.data(), values.size());
        return at + values.size() * sizeof(T);
    }
}

template <std::endian Order, class T>
inline std::byte* store_rows(std::byte* at, std::span<const T> values) {
    store_row<Order>(at, values.data(), values.size());
    return at + values.size() * sizeof(T);
}

}  // namespace aldis
