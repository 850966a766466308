// Operators of flags. A schema's namespace names them beside each of its flags types, so that they are found with the types.
#pragma once

#include <concepts>
#include <type_traits>

namespace aldis::flags {

/// The result of `is_flags`, which is declared for each flags type.
struct yes {};

template <class T>
concept set_of_bits = std::is_enum_v<T> && requires(T value) {
    { is_flags(value) } -> std::same_as<yes>;
};

template <set_of_bits T>
constexpr T operator|(T a, T b) noexcept {
    using bits = std::underlying_type_t<T>;
    return static_cast<T>(static_cast<bits>(a) | static_cast<bits>(b));
}
template <set_of_bits T>
constexpr T operator&(T a, T b) noexcept {
    using bits = std::underlying_type_t<T>;
    return static_cast<T>(static_cast<bits>(a) & static_cast<bits>(b));
}
template <set_of_bits T>
constexpr T operator^(T a, T b) noexcept {
    using bits = std::underlying_type_t<T>;
    return static_cast<T>(static_cast<bits>(a) ^ static_cast<bits>(b));
}
template <set_of_bits T>
constexpr T operator~(T a) noexcept {
    return static_cast<T>(~static_cast<std::underlying_type_t<T>>(a));
}
template <set_of_bits T>
constexpr T& operator|=(T& a, T b) noexcept {
    return a = a | b;
}
template <set_of_bits T>
constexpr T& operator&=(T& a, T b) noexcept {
    return a = a & b;
}
template <set_of_bits T>
constexpr T& operator^=(T& a, T b) noexcept {
    return a = a ^ b;
}

/// Whether all of these flags are set.
template <set_of_bits T>
constexpr bool has(T set, T flags) noexcept {
    return (set & flags) == flags;
}

}  // namespace aldis::flags
