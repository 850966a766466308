// The order of keys: sets and maps are kept and written in it, and duplicates are what it calls equal.
#pragma once

#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "values.hpp"

namespace aldis {

/// Negative, zero or positive: numbers by value (NaN last, negative zero equal to zero), text and bytes bytewise.
template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
inline int compare(const T& a, const T& b) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
        if (__builtin_isnan(a) || __builtin_isnan(b)) {
            return static_cast<int>(__builtin_isnan(a)) - static_cast<int>(__builtin_isnan(b));
        }
    }
    if constexpr (std::is_same_v<T, char>) {
        return compare(static_cast<unsigned char>(a), static_cast<unsigned char>(b));
    } else {
        return a < b ? -1 : static_cast<int>(b < a);
    }
}

inline int compare(std::string_view a, std::string_view b) noexcept {
    const int order = a.compare(b);
    return order < 0 ? -1 : static_cast<int>(order > 0);
}

inline int compare(const uuid& a, const uuid& b) noexcept {
    return std::memcmp(a.octets.data(), b.octets.data(), a.octets.size());
}

/// By value: 1.10 equals 1.1.
inline int compare(const decimal& a, const decimal& b) {
    const auto sign = [](const decimal& d) { return d.is_zero() ? 0 : d.negative ? -1 : 1; };
    if (sign(a) != sign(b) || a.is_zero()) {
        return sign(a) - sign(b);
    }
    // As many digits on both sides of the point.
    std::string left = detail::digits_of(a) + std::string(decimal::max_scale - a.scale, '0');
    std::string right = detail::digits_of(b) + std::string(decimal::max_scale - b.scale, '0');
    const std::size_t width = left.size() > right.size() ? left.size() : right.size();
    left.insert(0, width - left.size(), '0');
    right.insert(0, width - right.size(), '0');
    return sign(a) * compare(left, right);
}

template <class T>
int compare(const std::optional<T>& a, const std::optional<T>& b);
template <class T>
int compare(const box<T>& a, const box<T>& b);
template <class T, class Memory>
int compare(const std::vector<T, Memory>& a, const std::vector<T, Memory>& b);
template <class T, std::size_t Size>
int compare(const std::array<T, Size>& a, const std::array<T, Size>& b);

struct less;
template <class T, class Memory>
int compare(const std::set<T, less, Memory>& a, const std::set<T, less, Memory>& b);
template <class K, class V, class Memory>
int compare(const std::map<K, V, less, Memory>& a, const std::map<K, V, less, Memory>& b);

/// The order of `compare` for sets and maps.
struct less {
    template <class T>
    bool operator()(const T& a, const T& b) const {
        return compare(a, b) < 0;
    }
};

namespace detail {

template <class Maybe>
int compare_maybe(const Maybe& a, const Maybe& b) {
    if (!a.has_value() || !b.has_value()) {
        return static_cast<int>(a.has_value()) - static_cast<int>(b.has_value());
    }
    return compare(*a, *b);
}

template <class Row>
int compare_rows(const Row& a, const Row& b) {
    auto left = a.begin();
    auto right = b.begin();
    for (; left != a.end() && right != b.end(); ++left, ++right) {
        // A bool of `std::vector<bool>` is made a value of its own here.
        const typename Row::value_type& one = *left;
        const typename Row::value_type& other = *right;
        if (const int order = compare(one, other); order != 0) {
            return order;
        }
    }
    return static_cast<int>(left != a.end()) - static_cast<int>(right != b.end());
}

}  // namespace detail

template <class T>
int compare(const std::optional<T>& a, const std::optional<T>& b) {
    return detail::compare_maybe(a, b);
}

template <class T>
int compare(const box<T>& a, const box<T>& b) {
    return detail::compare_maybe(a, b);
}

template <class T, class Memory>
int compare(const std::vector<T, Memory>& a, const std::vector<T, Memory>& b) {
    return detail::compare_rows(a, b);
}

template <class T, std::size_t Size>
int compare(const std::array<T, Size>& a, const std::array<T, Size>& b) {
    return detail::compare_rows(a, b);
}

template <class T, class Memory>
int compare(const std::set<T, less, Memory>& a, const std::set<T, less, Memory>& b) {
    return detail::compare_rows(a, b);
}

template <class K, class V, class Memory>
int compare(const std::map<K, V, less, Memory>& a, const std::map<K, V, less, Memory>& b) {
    auto left = a.begin();
    auto right = b.begin();
    for (; left != a.end() && right != b.end(); ++left, ++right) {
        if (const int order = compare(left->first, right->first); order != 0) {
            return order;
        }
        if (const int order = compare(left->second, right->second); order != 0) {
            return order;
        }
    }
    return static_cast<int>(left != a.end()) - static_cast<int>(right != b.end());
}

}  // namespace aldis
