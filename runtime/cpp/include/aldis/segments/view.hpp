// Reading messages of segments where they lie. Nothing here checks anything: all that pointers lead to was verified before,
// and each is followed again as it is looked at. Views are small, and copied like numbers.
#pragma once

#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "../choice.hpp"
#include "../view.hpp"
#include "codec.hpp"
#include "given.hpp"
#include "origin.hpp"
#include "verifier.hpp"

namespace aldis::segments {

/// A pointer in a verified message, which may be null.
struct pointer_place {
    const std::byte* at;
    origin from;

    [[nodiscard]] bool is_null() const noexcept { return load_word(at).is_null(); }
    [[nodiscard]] landing follow() const noexcept { return from.follow(at); }
};

/// The sections of a record in a verified message: its data, and its pointers behind that. What is beyond them has its
/// default, so one that begins nowhere has nothing else. Only generated code makes one.
class verified {
public:
    verified() = default;
    /// `data` bytes, which are not always whole words, then `pointers`.
    verified(const std::byte* at, std::uint32_t data, std::uint32_t pointers, const origin& from) noexcept
        : at_(at), begin_(from.begin), data_(data), pointers_(static_cast<std::uint16_t>(pointers)), table_(from.table) {}

    /// A number, an enum or a tag at a byte; stored as it differs from `meant` for zero.
    template <class T>
    [[nodiscard]] T get(std::size_t at, T meant = T{}) const noexcept {
        using bits = aldis::detail::bits_of<T>;
        // A number whose bytes are there in part has its default: 2 of the 4 bytes of a `uint32` mean nothing.
        if (at + sizeof(T) > data_) {
            return meant;
        }
        return std::bit_cast<T>(static_cast<bits>(load<bits, little>(at_ + at) ^ std::bit_cast<bits>(meant)));
    }
    [[nodiscard]] bool bit(std::size_t at, unsigned bit, bool meant = false) const noexcept {
        return at < data_ && (static_cast<unsigned>(at_[at]) >> bit & 1U) != 0 ? !meant : meant;
    }

    /// The value behind the pointer of that index, which `Kind` reads.
    template <class Kind>
    [[nodiscard]] typename Kind::value_type follow(std::uint32_t index) const noexcept {
        static constexpr std::byte null[word_size]{};
        const std::byte* const pointer = index < pointers_ ? at_ + data_ + index * word_size : null;
        return Kind::get(pointer_place{pointer, {begin_, table_}});
    }

private:
    const std::byte* at_ = nullptr;
    const std::byte* begin_ = nullptr;
    std::uint32_t data_ = 0;
    std::uint16_t pointers_ = 0;
    bool table_ = false;
};

/// An element of a list in a verified message.
struct element_place {
    const std::byte* at = nullptr;
    origin from;
    /// Bytes of data in each, then pointers in each.
    std::uint32_t data = 0;
    std::uint32_t pointers = 0;
    /// Bytes from one element to the next.
    std::size_t stride = 0;
};

/// A bit in a row of them.
struct bit_place {
    const std::byte* at = nullptr;
    std::size_t index = 0;
};

template <class Element, class Place>
class list;

}  // namespace aldis::segments

template <class Element, class Place>
inline constexpr bool std::ranges::enable_borrowed_range<aldis::segments::list<Element, Place>> = true;
template <class Element, class Place>
inline constexpr bool std::ranges::enable_view<aldis::segments::list<Element, Place>> = true;

namespace aldis::segments {

/// A list in a verified message: a range, empty where the pointer to it is null.
template <class Element, class Place = element_place>
class list : public sequence<Element, false, Place> {
public:
    list() = default;
    list(const Place& first, std::size_t count) noexcept : sequence<Element, false, Place>(first, count), there_(true) {}

    /// Whether there is a list, if only an empty one: null is none.
    [[nodiscard]] bool has_value() const noexcept { return there_; }

private:
    bool there_ = false;
};

/// A value whose type the schema leaves open, in a verified message.
class open_value {
public:
    explicit open_value(const pointer_place& place) noexcept : place_(place) {}

    /// A copy of it, with all that it leads to: what decoding makes of it.
    [[nodiscard]] any_pointer copy() const {
        any_pointer made{std::vector<std::byte>(word_size)};
        trusted from(place_.from);
        static_cast<void>(copier(from, false, appended{made.message}).pointer({place_.at, nullptr}, 0));
        return made;
    }

    friend bool operator==(const open_value& view, const any_view& value) {
        const std::vector<std::byte> made = view.copy().message;
        return made.size() == value.message.size() && std::memcmp(made.data(), value.message.data(), made.size()) == 0;
    }

private:
    pointer_place place_;
};

/// How values are read in a verified message: those behind a pointer (`text` … `pointers`), and the arms of a union in the
/// record's sections (`none` … `pointer`).
namespace in_place {

namespace detail {

/// The elements of a list, in whatever encoding they are.
template <class Element>
[[nodiscard]] inline list<Element> list_at(const pointer_place& place) noexcept {
    if (place.is_null()) {
        return {};
    }
    const landing found = place.follow();
    const element_size size = found.says.element_size();
    if (size == element_size::record) {
        const word tag = load_word(found.body());
        const std::uint32_t data = tag.data() * static_cast<std::uint32_t>(word_size);
        const std::size_t stride = data + tag.pointers() * word_size;
        return {{found.body() + word_size, place.from, data, tag.pointers(), stride}, tag.elements()};
    }
    const std::uint32_t count = found.says.count();
    const auto bytes = static_cast<std::uint32_t>(bits_of(size) / 8);
    const bool behind = size == element_size::pointer;
    const std::byte* const first = bytes * std::uint64_t{count} == 0 ? nullptr : found.body();
    return {{first, place.from, behind ? 0 : bytes, behind ? 1U : 0U, bytes}, count};
}

/// The base of elements that lie as far apart as their list says.
struct element {
    static constexpr bool is_number = false;
    [[nodiscard]] static std::size_t stride(const element_place& place) noexcept { return place.stride; }
};

}  // namespace detail

struct text {
    using value_type = std::optional<std::string_view>;
    [[nodiscard]] static value_type get(const pointer_place& place) noexcept {
        if (place.is_null()) {
            return {};
        }
        const landing found = place.follow();
        return std::string_view(reinterpret_cast<const char*>(found.body()), found.says.count() - 1);
    }
};

struct data {
    using value_type = std::optional<std::span<const std::byte>>;
    [[nodiscard]] static value_type get(const pointer_place& place) noexcept {
        if (place.is_null()) {
            return {};
        }
        const landing found = place.follow();
        return found.says.count() == 0 ? bytes_view() : bytes_view(found.body(), found.says.count());
    }
};

struct any {
    using value_type = std::optional<open_value>;
    [[nodiscard]] static value_type get(const pointer_place& place) noexcept {
        return place.is_null() ? value_type() : open_value(place);
    }
};

template <class View>
struct record {
    using value_type = std::optional<View>;
    [[nodiscard]] static value_type get(const pointer_place& place) noexcept {
        if (place.is_null()) {
            return {};
        }
        const landing found = place.follow();
        const std::uint32_t data = found.says.data() * static_cast<std::uint32_t>(word_size);
        const std::uint32_t pointers = found.says.pointers();
        return View(data + pointers == 0 ? verified() : verified(found.body(), data, pointers, place.from));
    }
};

template <class View>
struct records {
    struct element : detail::element {
        using value_type = View;
        [[nodiscard]] static View get(const element_place& place) noexcept {
            return View(verified(place.at, place.data, place.pointers, place.from));
        }
    };
    using value_type = list<element>;
    [[nodiscard]] static value_type get(const pointer_place& place) noexcept { return detail::list_at<element>(place); }
};

template <class T>
struct numbers {
    struct element : detail::element {
        using value_type = T;
        static constexpr bool is_number = true;
        [[nodiscard]] static T get(const element_place& place) noexcept { return load<T, little>(place.at); }
        static void copy(element_place first, std::size_t count, T* out) noexcept {
            if (first.stride == sizeof(T)) {
                load_row<little>(first.at, count, out);
                return;
            }
            for (T* const end = out + count; out != end; ++out, first.at += first.stride) {
                *out = get(first);
            }
        }
    };
    using value_type = list<element>;
    [[nodiscard]] static value_type get(const pointer_place& place) noexcept { return detail::list_at<element>(place); }
};

struct bits {
    struct element {
        using value_type = bool;
        static constexpr bool is_number = false;
        [[nodiscard]] static std::size_t stride(const bit_place&) noexcept { return 1; }
        [[nodiscard]] static bool get(const bit_place& place) noexcept {
            return (static_cast<unsigned>(place.at[place.index / 8]) >> place.index % 8 & 1U) != 0;
        }
    };
    using value_type = list<element, bit_place>;
    [[nodiscard]] static value_type get(const pointer_place& place) noexcept {
        if (place.is_null()) {
            return {};
        }
        const landing found = place.follow();
        return {{found.says.count() == 0 ? nullptr : found.body()}, found.says.count()};
    }
};

/// Values that take no bytes.
struct voids {
    struct element : detail::element {
        using value_type = std::monostate;
        [[nodiscard]] static value_type get(const element_place&) noexcept { return {}; }
    };
    using value_type = list<element>;
    [[nodiscard]] static value_type get(const pointer_place& place) noexcept { return detail::list_at<element>(place); }
};

/// Values behind pointers of their own, each of which `Kind` reads.
template <class Kind>
struct pointers {
    struct element : detail::element {
        using value_type = typename Kind::value_type;
        [[nodiscard]] static value_type get(const element_place& place) noexcept {
            return Kind::get({place.at + place.data, place.from});
        }
    };
    using value_type = list<element>;
    [[nodiscard]] static value_type get(const pointer_place& place) noexcept { return detail::list_at<element>(place); }
};

// ---- arms -------------------------------------------------------------------------------------------------------

/// An arm that has no value.
struct none {
    using value_type = std::monostate;
    [[nodiscard]] static value_type get(const verified&) noexcept { return {}; }
};

/// A number at a byte; `Meant` are the bits that zero stands for.
template <class T, std::size_t At, std::uint64_t Meant = 0>
struct number {
    using value_type = T;
    [[nodiscard]] static T get(const verified& place) noexcept { return place.get<T>(At, from_bits<T>(Meant)); }
};

template <std::size_t At, unsigned Bit, bool Meant = false>
struct bit {
    using value_type = bool;
    [[nodiscard]] static bool get(const verified& place) noexcept { return place.bit(At, Bit, Meant); }
};

/// A group, or a union: a view of the same sections.
template <class View>
struct within {
    using value_type = View;
    [[nodiscard]] static View get(const verified& place) noexcept { return View(place); }
};

/// The field of the object that the pointer of that index leads to.
template <std::uint32_t Index, class Kind>
struct pointer {
    using value_type = typename Kind::value_type;
    [[nodiscard]] static value_type get(const verified& place) noexcept { return place.follow<Kind>(Index); }
};

/// A union, as `aldis::choice` is one among values: its tag is at a byte, and each arm says how its value is read.
template <class Tag, std::size_t At, class... Arms>
class choice {
public:
    using tag = Tag;

    /// The arm of tag 0 is active, with its default.
    choice() = default;
    explicit choice(const verified& place) noexcept : place_(place) {}

    /// The arm that is active.
    [[nodiscard]] Tag which() const noexcept { return place_.get<Tag>(At); }

    /// The value of an arm; nothing where another one is active.
    template <Tag Wanted>
    [[nodiscard]] auto get() const noexcept {
        constexpr std::size_t index = aldis::detail::index_of_arm<Wanted, Arms...>();
        using kind = typename std::tuple_element_t<index, std::tuple<Arms...>>::type;
        using value = std::optional<typename kind::value_type>;
        return which() == Wanted ? value(kind::get(place_)) : value();
    }

private:
    verified place_;
};

}  // namespace in_place

/// Checks a message as `Message` describes it, and gives the view of its root.
template <class Message, form Form>
inline result<typename Message::type> verify_as(std::span<const std::byte> in, const limits& most) {
    verifier from(most, in.size());
    body root = nothing;
    if (!detail::open_root(from, in, Form.table, root) || !Message::verify(from, root)) [[unlikely]] {
        return from.fault();
    }
    return typename Message::type(verified(root.data, root.data_size, root.pointer_count, {in.data(), Form.table}));
}

/// The same of a packed message, which is unpacked to `room` and does not lie there: the view is good until that is used again.
template <class Message>
inline result<typename Message::type> verify_packed_as(std::span<const std::byte> in, buffer& room, const limits& most) {
    unpacker words(in, most.unpacked(in.size()), room);
    if (!words.message()) [[unlikely]] {
        return words.fault();
    }
    verifier from(most, words.bytes().size());
    body root = nothing;
    if (!detail::open_root(from, words.bytes(), true, root) || !Message::verify(from, root)) [[unlikely]] {
        return error{from.fault().what, error::nowhere, from.fault().path};
    }
    return typename Message::type(verified(root.data, root.data_size, root.pointer_count, {words.bytes().data(), true}));
}

}  // namespace aldis::segments
