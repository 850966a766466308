// How values are written in a draft of a message of segments: what generated writers, and the unions in them, are made of.
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../choice.hpp"
#include "draft.hpp"
#include "given.hpp"

namespace aldis::segments {

/// How values are written in a draft: those behind a pointer (`text` … `pointers`), and the arms of a union in the record's
/// sections (`none` … `pointer`). Null is no object.
namespace drafts {

namespace detail {

/// Behind a pointer an integer is a count, of whatever type it is given.
template <class Value>
[[nodiscard]] constexpr decltype(auto) counted(Value&& value) noexcept {
    if constexpr (std::integral<std::remove_cvref_t<Value>>) {
        return static_cast<std::size_t>(value);
    } else {
        return std::forward<Value>(value);
    }
}

/// Words from the end of a pointer to an object behind it.
[[nodiscard]] inline std::int64_t distance(const draft_place& pointer, std::size_t at) noexcept {
    return static_cast<std::int64_t>((at - pointer.at()) / word_size) - 1;
}

/// A list of plain elements, zeros at first; gives its first element.
[[nodiscard]] inline draft_place begin_row(const draft_place& pointer, std::size_t count, element_size size) {
    draft& out = pointer.out();
    if (count > max_count) {
        out.outside("elements", count);
    }
    const std::size_t at = out.begin_object(pointer, 1, (count * bits_of(size) + 63) / 64);
    if (at == 0) {
        return {out, 0, 0};
    }
    out.store(pointer.at(), list_word(distance(pointer, at), size, count));
    out.add_unpaid(size == element_size::none ? empty_element * count : 0);
    return {out, at, pointer.depth() - 1};
}

}  // namespace detail

struct text {
    static void put(const draft_place& pointer, std::optional<std::string_view> value) {
        if (!value) {
            pointer.set_null(0);
            return;
        }
        pointer.out().row(pointer, value->size() + 1, 8, [&value](writer out, std::byte* to) { out.text(to, value); });
    }
};

struct data {
    static void put(const draft_place& pointer, std::optional<std::span<const std::byte>> value) {
        if (!value) {
            pointer.set_null(0);
            return;
        }
        pointer.out().row(pointer, value->size(), 8, [&value](writer out, std::byte* to) { out.data(to, value); });
    }
};

/// A value of open type, with all that it leads to.
struct any {
    static void put(const draft_place& pointer, std::optional<any_view> value) {
        pointer.set_null(0);
        draft& out = pointer.out();
        if (!value || pointer.at() == 0) {
            return;
        }
        given_arena from(pointer.depth(), value->message.size());
        if (!from.open(value->message, false) || !copier(from, false, into{out}).pointer(from.root(), pointer.at())) {
            out.fail(from.fault().what);
        }
        out.add_unpaid(from.unpaid());
    }

private:
    struct into {
        draft& out;
        [[nodiscard]] std::size_t reserve(std::size_t words) const { return out.reserve(words); }
        void store(std::size_t at, std::uint64_t bits) const noexcept { out.store(at, bits); }
        void put(std::size_t at, const std::byte* from, std::size_t size) const noexcept { out.put(at, from, size); }
    };
};

/// A record of so many words of data and pointers.
template <class Writer, std::uint32_t Data, std::uint32_t Pointers>
struct record {
    static Writer put(const draft_place& pointer) {
        draft& out = pointer.out();
        const std::size_t at = out.begin_object(pointer, 1, Data + Pointers);
        if (at == 0) {
            return Writer(draft_place(out, 0, 0));
        }
        // One without sections must not look like null.
        const std::int64_t far = Data + Pointers == 0 ? -1 : detail::distance(pointer, at);
        out.store(pointer.at(), record_word(far, Data, Pointers));
        return Writer(draft_place(out, at, pointer.depth() - 1));
    }
    static void put(const draft_place& pointer, std::nullopt_t) noexcept { pointer.set_null(0); }
};

template <class Writer, std::uint32_t Data, std::uint32_t Pointers>
struct records {
    static record_list<Writer> put(const draft_place& pointer, std::size_t count) {
        constexpr std::uint64_t stride = Data + Pointers;
        draft& out = pointer.out();
        if (count > max_count || count * stride > max_count) {
            out.outside("elements or words", aldis::detail::larger(count, count * stride));
        }
        const std::size_t at = out.begin_object(pointer, 2, 1 + count * stride);
        if (at == 0) {
            return {draft_place(out, 0, 0), 0, 0};
        }
        out.store(pointer.at(), list_word(detail::distance(pointer, at), element_size::record, count * stride));
        out.store(at, tag_word(count, Data, Pointers));
        out.add_unpaid(stride == 0 ? empty_element * count : 0);
        return {draft_place(out, at + word_size, pointer.depth() - 2), count, static_cast<std::size_t>(stride * word_size)};
    }
    static void put(const draft_place& pointer, std::nullopt_t) noexcept { pointer.set_null(0); }
};

/// Numbers or enums: all at once, or so many zeros that are set one by one.
template <class T>
struct numbers {
    static void put(const draft_place& pointer, std::optional<std::span<const T>> values) {
        if (!values) {
            pointer.set_null(0);
        } else if (pointer.out().enters(pointer, 1)) {
            pointer.out().row(pointer, values->size(), 8 * sizeof(T),
                              [&values](writer out, std::byte* to) { out.numbers(to, values); });
        }
    }
    static auto put(const draft_place& pointer, std::size_t count) {
        constexpr element_size size = sizeof(T) == 1   ? element_size::byte
                                      : sizeof(T) == 2 ? element_size::two
                                      : sizeof(T) == 4 ? element_size::four
                                                       : element_size::eight;
        return element_list<numbers>(detail::begin_row(pointer, count, size), count);
    }
    using argument = T;
    static void put_at(const draft_place& first, std::size_t index, T value) noexcept {
        first.set(index * sizeof(T), value);
    }
};

struct bits {
    static void put(const draft_place& pointer, std::optional<bits_view> values) {
        if (!values) {
            pointer.set_null(0);
        } else if (pointer.out().enters(pointer, 1)) {
            pointer.out().row(pointer, values->size(), 1, [&values](writer out, std::byte* to) { out.bits(to, values); });
        }
    }
    static auto put(const draft_place& pointer, std::size_t count) {
        return element_list<bits>(detail::begin_row(pointer, count, element_size::bit), count);
    }
    using argument = bool;
    static void put_at(const draft_place& first, std::size_t index, bool value) noexcept {
        first.set_bit(index / 8, static_cast<unsigned>(index % 8), value);
    }
};

/// So many values that take no bytes.
struct voids {
    static void put(const draft_place& pointer, std::size_t count) {
        static_cast<void>(detail::begin_row(pointer, count, element_size::none));
    }
    static void put(const draft_place& pointer, std::nullopt_t) noexcept { pointer.set_null(0); }
};

/// So many values behind pointers of their own, null at first, each of which `Kind` writes.
template <class Kind>
struct pointers {
    static auto put(const draft_place& pointer, std::size_t count) {
        return element_list<pointers>(detail::begin_row(pointer, count, element_size::pointer), count);
    }
    static void put(const draft_place& pointer, std::nullopt_t) noexcept { pointer.set_null(0); }
    template <class... Values>
    static auto put_at(const draft_place& first, std::size_t index, Values&&... values) {
        return Kind::put(first + index * word_size, detail::counted(std::forward<Values>(values))...);
    }
};

// ---- arms -------------------------------------------------------------------------------------------------------

/// An arm that has no value.
struct none {
    static void put(const draft_place&) noexcept {}
};

/// A number at a byte; `Meant` are the bits that zero stands for.
template <class T, std::size_t At, std::uint64_t Meant = 0>
struct number {
    using argument = T;
    static void put(const draft_place& place, T value) noexcept { place.set<T>(At, value, from_bits<T>(Meant)); }
};

template <std::size_t At, unsigned Bit, bool Meant = false>
struct bit {
    using argument = bool;
    static void put(const draft_place& place, bool value) noexcept { place.set_bit(At, Bit, value, Meant); }
};

/// A group, or a union: a writer of the same sections.
template <class Writer>
struct within {
    static Writer put(const draft_place& place) { return Writer(place); }
};

/// The field of the object that the pointer at a byte leads to.
template <std::size_t At, class Kind>
struct pointer {
    template <class... Values>
    static auto put(const draft_place& place, Values&&... values) {
        return Kind::put(place + At, detail::counted(std::forward<Values>(values))...);
    }
};

/// Bits of a word of data that the arms of a union use.
template <std::size_t At, std::uint64_t Bits>
struct used {
    static void clear(const draft_place& place) noexcept {
        std::byte* const at = place.bytes() + At;
        store_word(at, load_word(at).bits & ~Bits);
    }
};
/// A pointer that the arms of a union use.
template <std::size_t At>
struct used_pointer {
    static void clear(const draft_place& place) noexcept { place.set_null(At); }
};
template <class... Words>
struct shared {
    static void clear([[maybe_unused]] const draft_place& place) noexcept { (Words::clear(place), ...); }
};

/// A union: its tag is at a byte, `Shared` is what its arms use, and each says how its value is written.
template <class Tag, std::size_t At, class Shared, class... Arms>
class choice {
    template <Tag Wanted>
    using kind =
        typename std::tuple_element_t<aldis::detail::index_of_arm<Wanted, Arms...>(), std::tuple<Arms...>>::type;

public:
    using tag = Tag;

    explicit choice(const draft_place& place) noexcept : place_(place) {}

    /// Makes an arm active and writes its value; gives its writer where it has one. The bytes of another arm are cleared.
    template <Tag Wanted, class... Values>
        requires(!takes_one<kind<Wanted>>)
    auto set(Values&&... values) const {
        activate(Wanted);
        return kind<Wanted>::put(place_, std::forward<Values>(values)...);
    }
    /// The same of a number or a bit.
    template <Tag Wanted>
        requires takes_one<kind<Wanted>>
    void set(typename kind<Wanted>::argument value) const {
        activate(Wanted);
        kind<Wanted>::put(place_, value);
    }

    /// Makes an arm active that the schema does not know.
    void set_unknown(Tag newer) const noexcept { activate(newer); }

private:
    void activate(Tag wanted) const noexcept {
        std::byte* const record = place_.bytes();
        if (record != nullptr && load<Tag, little>(record + At) != wanted) {
            Shared::clear(place_);
            store<little>(record + At, wanted);
        }
    }

    draft_place place_;
};

}  // namespace drafts

}  // namespace aldis::segments
