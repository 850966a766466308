// Bytes, and numbers to and from them, wherever they lie and whatever the machine's own byte order is.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "lifetime.hpp"

namespace aldis {

using bytes_view = std::span<const std::byte>;

/// The bytes of a text, and the text that bytes are; neither is copied, so the text or the bytes must outlive them.
[[nodiscard]] inline bytes_view bytes_of(std::string_view text ALDIS_LIFETIMEBOUND) noexcept {
    return std::as_bytes(std::span(text.data(), text.size()));
}
[[nodiscard]] inline std::string_view text_of(bytes_view bytes ALDIS_LIFETIMEBOUND) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline constexpr std::endian little = std::endian::little;
inline constexpr std::endian big = std::endian::big;

namespace detail {

template <std::size_t Size>
struct unsigned_of;
template <>
struct unsigned_of<1> {
    using type = std::uint8_t;
};
template <>
struct unsigned_of<2> {
    using type = std::uint16_t;
};
template <>
struct unsigned_of<4> {
    using type = std::uint32_t;
};
template <>
struct unsigned_of<8> {
    using type = std::uint64_t;
};

/// The unsigned integer with as many bits as `T`.
template <class T>
using bits_of = typename unsigned_of<sizeof(T)>::type;

template <class Bits>
constexpr Bits swapped(Bits bits) noexcept {
    if constexpr (sizeof(Bits) == 2) {
        return __builtin_bswap16(bits);
    } else if constexpr (sizeof(Bits) == 4) {
        return __builtin_bswap32(bits);
    } else if constexpr (sizeof(Bits) == 8) {
        return __builtin_bswap64(bits);
    } else {
        return bits;
    }
}

}  // namespace detail

/// Reads a number, an enum or a bool (any byte but 0 is true) at `at`.
template <class T, std::endian Order>
[[nodiscard]] inline T load(const std::byte* at) noexcept {
    if constexpr (std::is_same_v<T, bool>) {
        return *at != std::byte{0};
    } else {
        detail::bits_of<T> bits;
        std::memcpy(&bits, at, sizeof bits);
        if constexpr (Order != std::endian::native) {
            bits = detail::swapped(bits);
        }
        return std::bit_cast<T>(bits);
    }
}

/// Writes a number, an enum or a bool at `at`. Every NaN is written alike: quiet, positive, without payload.
template <std::endian Order, class T>
inline void store(std::byte* at, T value) noexcept {
    if constexpr (std::is_same_v<T, bool>) {
        *at = static_cast<std::byte>(value);
    } else {
        if constexpr (std::is_floating_point_v<T>) {
            // A branch that is never taken costs less than a choice among two values.
            if (__builtin_isnan(value)) [[unlikely]] {
                value = std::numeric_limits<T>::quiet_NaN();
            }
        }
        auto bits = std::bit_cast<detail::bits_of<T>>(value);
        if constexpr (Order != std::endian::native) {
            bits = detail::swapped(bits);
        }
        std::memcpy(at, &bits, sizeof bits);
    }
}

namespace detail {

/// Whether a row of `T` lies in memory as it does in bytes of that order.
template <class T, std::endian Order>
inline constexpr bool is_plain = std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool> &&
                                 (sizeof(T) == 1 || Order == std::endian::native);

}  // namespace detail

/// Reads `count` numbers side by side into memory for as many.
template <std::endian Order, class T>
inline void load_row(const std::byte* at, std::size_t count, T* values) noexcept {
    if constexpr (detail::is_plain<T, Order>) {
        if (count > 0) {
            std::memcpy(values, at, count * sizeof(T));
        }
    } else {
        for (std::size_t index = 0; index < count; ++index) {
            values[index] = load<T, Order>(at + index * sizeof(T));
        }
    }
}

namespace detail {

/// Copies numbers as they are, and tells whether one of them is NaN. Takes four vectors at a time: one after another,
/// each would wait for the comparison of the one before.
template <std::floating_point T>
[[nodiscard]] inline bool copy_row(std::byte* to, const T* from, std::size_t count) noexcept {
    using vector [[gnu::vector_size(16)]] = T;
    using verdict = decltype(vector{} != vector{});
    constexpr std::size_t lanes = sizeof(vector) / sizeof(T);
    verdict found[4]{};
    std::size_t done = 0;
    for (; done + 4 * lanes <= count; done += 4 * lanes) {
        for (std::size_t index = 0; index < 4; ++index) {
            vector values;
            std::memcpy(&values, from + done + index * lanes, sizeof values);
            std::memcpy(to + (done + index * lanes) * sizeof(T), &values, sizeof values);
            found[index] |= values != values;
        }
    }
    const verdict all = found[0] | found[1] | found[2] | found[3];
    bool any = false;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        any |= all[lane] != 0;
    }
    for (; done < count; ++done) {
        std::memcpy(to + done * sizeof(T), from + done, sizeof(T));
        any |= __builtin_isnan(from[done]);
    }
    return any;
}

}  // namespace detail

/// Writes `count` numbers side by side.
template <std::endian Order, class T>
inline void store_row(std::byte* at, const T* values, std::size_t count) noexcept {
    const auto one_by_one = [](std::byte* to, const T* from, std::size_t some) {
        for (std::size_t index = 0; index < some; ++index) {
            store<Order>(to + index * sizeof(T), from[index]);
        }
    };
    if constexpr (!detail::is_plain<T, Order>) {
        one_by_one(at, values, count);
    } else if constexpr (std::is_floating_point_v<T>) {
        if (detail::copy_row(at, values, count)) [[unlikely]] {
            one_by_one(at, values, count);
        }
    } else if (count > 0) {
        std::memcpy(at, values, count * sizeof(T));
    }
}

namespace detail {

/// The first `Size` bytes at `at`, the first of them lowest, and zeros. By loads and shifts: bytes that are put side by
/// side in memory have to be there before they can be loaded as one number.
template <std::size_t Size>
[[nodiscard]] inline std::uint64_t load_some(const std::byte* at) noexcept {
    static_assert(Size >= 1 && Size <= 8);
    if constexpr (std::has_single_bit(Size)) {
        return load<typename unsigned_of<Size>::type, little>(at);
    } else if constexpr (Size == 3) {
        return load_some<2>(at) | load_some<1>(at + 2) << 16;
    } else {
        return load_some<4>(at) | load_some<4>(at + Size - 4) >> 8 * (8 - Size) << 32;
    }
}

/// As many bytes as `copy_short` can copy.
inline constexpr std::size_t short_size = 2 * sizeof(std::uint64_t);

/// Copies the first and the last `Part`, which may overlap: all of `size` bytes that are no more than two.
template <class Part>
inline void copy_ends(std::byte* to, const std::byte* from, std::size_t size) noexcept {
    Part first;
    Part last;
    std::memcpy(&first, from, sizeof first);
    std::memcpy(&last, from + size - sizeof last, sizeof last);
    std::memcpy(to, &first, sizeof first);
    std::memcpy(to + size - sizeof last, &last, sizeof last);
}

/// Copies a few bytes without a call.
inline void copy_short(void* to, const void* from, std::size_t size) noexcept {
    auto* const out = static_cast<std::byte*>(to);
    const auto* const in = static_cast<const std::byte*>(from);
    if (size >= sizeof(std::uint64_t)) {
        copy_ends<std::uint64_t>(out, in, size);
    } else if (size >= sizeof(std::uint32_t)) {
        copy_ends<std::uint32_t>(out, in, size);
    } else if (size > 0) {
        out[0] = in[0];
        out[size / 2] = in[size / 2];
        out[size - 1] = in[size - 1];
    }
}

/// Whether every string has its own room for `short_size - 1` characters and an end, however short it is: then so many bytes may
/// be read and written there at once. Libraries that mark the room behind a text for sanitizers are left out.
#if defined(__GLIBCXX__) && _GLIBCXX_USE_CXX11_ABI
inline constexpr bool has_short_room = true;
#else
inline constexpr bool has_short_room = false;
#endif

}  // namespace detail

/// How long the text in a field of `Size` bytes is: up to the first NUL, or all of it.
template <std::size_t Size>
[[nodiscard]] inline std::size_t length_of_chars(const std::byte* at) noexcept {
    if constexpr (Size == 0) {
        return 0;
    } else if constexpr (Size <= sizeof(std::uint64_t)) {
        // All bytes at once: those behind the field count as NULs, and the lowest bit that stays is of the first NUL.
        const std::uint64_t bits = detail::load_some<Size>(at);
        constexpr std::uint64_t ones = 0x0101010101010101;
        const std::uint64_t zeros = (bits - ones) & ~bits & (ones << 7);
        return zeros == 0 ? Size : static_cast<std::size_t>(std::countr_zero(zeros)) / 8;
    } else {
        const void* const end = std::memchr(at, 0, Size);
        return end == nullptr ? Size : static_cast<std::size_t>(static_cast<const std::byte*>(end) - at);
    }
}

/// A sentinel by its bits: how optional numbers say that they are null.
template <class T>
[[nodiscard]] constexpr T from_bits(std::uint64_t bits) noexcept {
    return std::bit_cast<T>(static_cast<detail::bits_of<T>>(bits));
}

}  // namespace aldis
