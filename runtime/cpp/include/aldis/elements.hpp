// Lists, sets and maps that are read into: elements and nodes that were there before are used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace aldis {

/// The memory that an element of a set or map takes: beside itself three pointers and a colour.
template <class T>
inline constexpr std::size_t node_size = sizeof(T) + 4 * sizeof(void*);

namespace detail {

/// Out of line, since an object that is used again mostly has the room.
template <class T, class Memory>
[[gnu::noinline]] void reserve(std::vector<T, Memory>& values, std::size_t count) {
    values.reserve(count);
}

/// Room for one more element and as many again, or for as many as there can be.
template <class T, class Memory>
[[gnu::noinline]] void grow(std::vector<T, Memory>& values) {
    const std::size_t size = values.size();
    const std::size_t most = values.max_size();
    detail::reserve(values, size < most / 2 ? 2 * size + 1 : size < most ? most : size + 1);
}

/// One more element. A list grows by `grow` and `reserve` alone, so that compilers need no other code for it.
template <class T, class Memory>
[[gnu::always_inline]] inline T& add_element(std::vector<T, Memory>& values) {
    if (values.size() == values.capacity()) [[unlikely]] {
        detail::grow(values);
    }
    if (values.size() == values.capacity()) {
        __builtin_unreachable();
    }
    return values.emplace_back();
}

/// Makes a list longer or shorter.
template <class T, class Memory>
[[gnu::noinline]] void resize(std::vector<T, Memory>& values, std::size_t count) {
    // Room for so many and no more: a list that grows by itself takes twice as much.
    if (count > values.capacity()) {
        detail::reserve(values, count);
    }
    if constexpr (std::is_trivially_copyable_v<T>) {
        values.resize(count);
    } else {
        while (values.size() > count) {
            values.pop_back();
        }
        while (values.size() < count) {
            detail::add_element(values);
        }
    }
}

}  // namespace detail

/// The part of a reader's means that stands by for elements which have room, until they are read: their bytes or charges pay
/// for that room, and for nothing else. Lists within the elements make room from the rest.
class pledge {
public:
    pledge(std::uint64_t& pledged, std::uint64_t count, std::uint64_t each) noexcept
        : pledged_(pledged), left_(count * each), each_(each) {
        pledged_ += left_;
    }
    pledge(const pledge&) = delete;
    pledge& operator=(const pledge&) = delete;
    ~pledge() { pledged_ -= left_; }

    /// An element is read: its part is spent now.
    void redeem() noexcept {
        const std::uint64_t part = left_ < each_ ? left_ : each_;
        left_ -= part;
        pledged_ -= part;
    }

private:
    std::uint64_t& pledged_;
    std::uint64_t left_;
    std::uint64_t each_;
};

/// An element of a list that is being read, from the first on: one that was there before, or a new one. There is room for it.
template <class T, class Memory>
inline T& element(std::vector<T, Memory>& values, std::size_t index) {
    return index < values.size() ? values[index] : detail::add_element(values);
}

/// Makes a list of as many elements as were read: some may have been there before, and those that take no bytes are not
/// made one by one.
template <class T, class Memory>
inline void fit(std::vector<T, Memory>& values, std::uint64_t count) {
    // So many elements are there, or were read: what memory cannot hold was refused before.
    if (values.size() != count) [[unlikely]] {
        detail::resize(values, static_cast<std::size_t>(count));
    }
}

/// A list of `count` elements, which were paid for, to be read one after another.
template <class T, class Memory>
inline std::vector<T, Memory>& resized(std::vector<T, Memory>& values, std::uint64_t count) {
    const auto size = static_cast<std::size_t>(count);
    if (size > values.capacity()) {
        detail::reserve(values, size);
    }
    // Quicker than `fit` for new objects, and more code.
    values.resize(size);
    return values;
}

/// Takes all elements out of a set or map, so that their nodes are used again for the elements that are read.
template <class Keyed>
[[nodiscard]] inline Keyed emptied(Keyed& values) {
    Keyed spare(std::move(values));
    values.clear();
    return spare;
}

/// A node to read an element into: one that was there before, or a new one of the same memory.
template <class Keyed>
[[nodiscard]] inline typename Keyed::node_type take_node(Keyed& spare) {
    if (spare.empty()) {
        if constexpr (requires { typename Keyed::mapped_type; }) {
            using key_type = typename Keyed::key_type;
            if constexpr (requires { typename key_type::allocator_type; }) {
                spare.try_emplace(key_type(typename key_type::allocator_type(spare.get_allocator())));
            } else {
                spare.try_emplace(key_type{});
            }
        } else {
            spare.emplace();
        }
    }
    return spare.extract(spare.begin());
}

}  // namespace aldis
