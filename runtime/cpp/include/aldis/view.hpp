// Reading values where they lie. Nothing here checks anything: all bytes that are looked at were verified before, as a
// whole message by generated code.
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "bytes.hpp"
#include "careful.hpp"
#include "limits.hpp"
#include "reader.hpp"
#include "result.hpp"
#include "values.hpp"

namespace aldis {

template <class Element, bool MayLack, class Place>
class sequence;

}  // namespace aldis

// A sequence owns nothing: it is copied like a span, and its iterators outlive it.
template <class Element, bool MayLack, class Place>
inline constexpr bool std::ranges::enable_borrowed_range<aldis::sequence<Element, MayLack, Place>> = true;
template <class Element, bool MayLack, class Place>
inline constexpr bool std::ranges::enable_view<aldis::sequence<Element, MayLack, Place>> = true;

namespace aldis {

/// A place in a message that was verified, with what reading there depends on. Only generated code makes one.
struct verified {
    const std::byte* at = nullptr;
    /// The place from which links here count.
    const std::byte* base = nullptr;
    /// How many bytes a block at this place has.
    std::uint64_t extent = 0;
    /// The version of the schema that the writer had.
    std::uint64_t version = 0;

    /// The same elsewhere.
    [[nodiscard]] verified moved(const std::byte* to) const noexcept { return {to, base, extent, version}; }
    friend verified operator+(const verified& place, std::uint64_t bytes) noexcept {
        return place.moved(place.at + bytes);
    }
    /// The place `bytes` further on in the same block.
    [[nodiscard]] verified within(std::size_t bytes) const noexcept {
        return {at + bytes, base, extent - (bytes < extent ? bytes : extent), version};
    }
    /// The place `bytes` further on, of which `size` bytes are there.
    [[nodiscard]] verified whole(std::size_t bytes, std::uint64_t size) const noexcept {
        return {at + bytes, base, size, version};
    }
};

/// The place of a record as its check found it: with where each step begins that follows a part of variable size.
template <std::size_t Starts>
struct walked : verified {
    std::array<const std::byte*, Starts> starts{};
};

/// Takes such places where nobody asks for them: of records within others.
struct unnoted {
    struct ignored {
        void operator=(const std::byte*) const noexcept {}
    };
    [[nodiscard]] ignored operator[](std::size_t) const noexcept { return {}; }
};

/// The bytes that views of no message look at.
template <std::size_t Size>
inline constexpr std::array<std::byte, Size> zeros{};

/// A place in no message, with so many zeros.
template <std::size_t Size>
[[nodiscard]] inline verified nowhere() noexcept {
    return {zeros<Size>.data(), zeros<Size>.data()};
}

/// Values side by side in a message, each read as it is looked at. `Element` says how one of them is read at a place.
/// A list can be indexed if all elements take as much room; else it is walked from its first element on.
/// `MayLack`: there may be none of their bytes, and all are what an element is by default.
template <class Element, bool MayLack = false, class Place = verified>
class sequence {
    static constexpr bool strided = requires(const Place& place) { Element::stride(place); };

public:
    using value_type = typename Element::value_type;

    class iterator {
    public:
        using value_type = typename sequence::value_type;
        using difference_type = std::ptrdiff_t;
        using iterator_concept =
            std::conditional_t<strided, std::random_access_iterator_tag, std::forward_iterator_tag>;
        // It gives values, not references.
        using iterator_category = std::input_iterator_tag;

        iterator() = default;
        iterator(const Place& place, std::size_t index) noexcept : place_(place), index_(index) {}

        [[nodiscard]] value_type operator*() const noexcept {
            return MayLack && place_.at == nullptr ? value_type{} : Element::get(place_);
        }
        iterator& operator++() noexcept {
            ++index_;
            if constexpr (strided) {
                step(1);
            } else {
                place_.at = Element::skip(place_);
            }
            return *this;
        }
        iterator operator++(int) noexcept {
            const iterator before = *this;
            ++*this;
            return before;
        }

        iterator& operator+=(difference_type count) noexcept
            requires strided
        {
            index_ += static_cast<std::size_t>(count);
            step(count);
            return *this;
        }
        iterator& operator-=(difference_type count) noexcept
            requires strided
        {
            return *this += -count;
        }
        iterator& operator--() noexcept
            requires strided
        {
            return *this -= 1;
        }
        iterator operator--(int) noexcept
            requires strided
        {
            const iterator before = *this;
            --*this;
            return before;
        }
        [[nodiscard]] value_type operator[](difference_type index) const noexcept
            requires strided
        {
            return *(*this + index);
        }
        friend iterator operator+(iterator from, difference_type count) noexcept
            requires strided
        {
            return from += count;
        }
        friend iterator operator+(difference_type count, iterator from) noexcept
            requires strided
        {
            return from += count;
        }
        friend iterator operator-(iterator from, difference_type count) noexcept
            requires strided
        {
            return from -= count;
        }
        friend difference_type operator-(const iterator& a, const iterator& b) noexcept {
            return static_cast<difference_type>(a.index_) - static_cast<difference_type>(b.index_);
        }
        bool operator==(const iterator& other) const noexcept { return index_ == other.index_; }
        auto operator<=>(const iterator& other) const noexcept { return index_ <=> other.index_; }

    private:
        void step(difference_type count) noexcept {
            const difference_type distance = count * static_cast<difference_type>(Element::stride(place_));
            if constexpr (requires { place_.index; }) {
                place_.index += static_cast<std::size_t>(distance);
            } else if (!MayLack || place_.at != nullptr) {
                place_.at += distance;
            }
        }

        Place place_;
        std::size_t index_ = 0;
    };

    sequence() = default;
    /// `count` elements from `first` on.
    sequence(const Place& first, std::size_t count) noexcept : first_(first), count_(count) {}

    [[nodiscard]] std::size_t size() const noexcept { return count_; }
    [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
    [[nodiscard]] iterator begin() const noexcept { return {first_, 0}; }
    [[nodiscard]] iterator end() const noexcept {
        if constexpr (strided) {
            return begin() + static_cast<std::ptrdiff_t>(count_);
        } else {
            return {{}, count_};
        }
    }
    [[nodiscard]] value_type front() const noexcept { return *begin(); }

    /// The element at `index`, which is below `size()`.
    [[nodiscard]] value_type operator[](std::size_t index) const noexcept
        requires strided
    {
        return begin()[static_cast<std::ptrdiff_t>(index)];
    }

    /// Copies numbers that lie side by side into memory for all of them.
    void copy_to(value_type* out) const noexcept
        requires(Element::is_number)
    {
        if (MayLack && first_.at == nullptr) {
            for (std::size_t index = 0; index < count_; ++index) {
                out[index] = value_type{};
            }
        } else {
            Element::copy(first_, count_, out);
        }
    }

    /// The end of the elements.
    [[nodiscard]] const std::byte* behind() const noexcept {
        if constexpr (strided) {
            return first_.at + count_ * Element::stride(first_);
        } else {
            const std::byte* at = first_.at;
            for (std::size_t left = count_; left > 0; --left) {
                at = Element::skip(first_.moved(at));
            }
            return at;
        }
    }

private:
    Place first_;
    std::size_t count_ = 0;
};

/// How values of one byte order are read in place. Each kind gives its value at a place (`get`), and, where values follow
/// one another, the place behind it (`skip`); kinds of a fixed size say it (`stride`).
template <std::endian Order>
struct in_place {
    template <class T>
    [[nodiscard]] static T load(const std::byte* at) noexcept {
        return aldis::load<T, Order>(at);
    }

    // ---- what has a fixed size ----------------------------------------------------------------------------------

    template <std::size_t Width>
    struct fixed {
        static constexpr bool is_number = false;
        [[nodiscard]] static std::size_t stride(const verified&) noexcept { return Width; }
        [[nodiscard]] static const std::byte* skip(const verified& place) noexcept { return place.at + Width; }
    };

    /// A number, an enum, flags or a bool.
    template <class T>
    struct number : fixed<sizeof(T)> {
        using value_type = T;
        static constexpr bool is_number = true;
        [[nodiscard]] static T get(const verified& place) noexcept { return load<T>(place.at); }
        static void copy(const verified& first, std::size_t count, T* out) noexcept {
            load_row<Order>(first.at, count, out);
        }
    };

    /// A number of which one value means null.
    template <class T, std::uint64_t Null>
    struct nullable : fixed<sizeof(T)> {
        using value_type = std::optional<T>;
        [[nodiscard]] static value_type get(const verified& place) noexcept {
            const T value = load<T>(place.at);
            return value == from_bits<T>(Null) ? value_type() : value;
        }
    };

    /// A number for which NaN means null.
    template <class T>
    struct nullable_float : fixed<sizeof(T)> {
        using value_type = std::optional<T>;
        [[nodiscard]] static value_type get(const verified& place) noexcept {
            const T value = load<T>(place.at);
            return __builtin_isnan(value) ? value_type() : value;
        }
    };

    struct decimal : fixed<16> {
        using value_type = aldis::decimal;
        [[nodiscard]] static value_type get(const verified& place) noexcept {
            value_type value;
            static_cast<void>(load_decimal(place.at, value));
            return value;
        }
    };

    struct uuid : fixed<16> {
        using value_type = aldis::uuid;
        [[nodiscard]] static value_type get(const verified& place) noexcept {
            value_type value;
            std::memcpy(value.octets.data(), place.at, 16);
            return value;
        }
    };

    /// Text up to the first NUL.
    template <std::size_t Width>
    struct chars : fixed<Width> {
        using value_type = std::string_view;
        [[nodiscard]] static value_type get(const verified& place) noexcept {
            return {reinterpret_cast<const char*>(place.at), length_of_chars<Width>(place.at)};
        }
    };

    /// `Count` elements of fixed size.
    template <std::size_t Count, std::size_t Width, class Element>
    struct array : fixed<Count * Width> {
        using value_type = sequence<Element, true>;
        [[nodiscard]] static value_type get(const verified& place) noexcept { return {place, Count}; }
    };

    /// A record within the bytes of another's block.
    template <class View, std::size_t Width>
    struct nest : fixed<Width> {
        using value_type = View;
        [[nodiscard]] static View get(const verified& place) noexcept { return View(place); }
    };

    // ---- what a number leads to ---------------------------------------------------------------------------------

    /// A value as far from the base as a number says.
    template <class Target>
    struct link : fixed<4> {
        using value_type = typename Target::value_type;
        [[nodiscard]] static value_type get(const verified& place) noexcept {
            return Target::get(place.moved(place.base + load<std::uint32_t>(place.at)));
        }
    };

    /// The same where zero leads to an empty value.
    template <class Target>
    struct link_or_empty : fixed<4> {
        using value_type = typename Target::value_type;
        [[nodiscard]] static value_type get(const verified& place) noexcept {
            const auto offset = load<std::uint32_t>(place.at);
            return offset == 0 ? value_type{} : Target::get(place.moved(place.base + offset));
        }
    };

    /// A byte that tells whether there is a value, and how far from the base it is.
    template <class Target>
    struct presence : fixed<5> {
        using value_type = std::optional<typename Target::value_type>;
        [[nodiscard]] static value_type get(const verified& place) noexcept {
            if (!load<bool>(place.at)) {
                return {};
            }
            return Target::get(place.moved(place.base + load<std::uint32_t>(place.at + 1)));
        }
    };

    /// A value whose links count from its own first byte.
    template <class Value>
    struct rebased {
        using value_type = typename Value::value_type;
        static constexpr bool is_number = false;
        [[nodiscard]] static value_type get(verified place) noexcept {
            place.base = place.at;
            return Value::get(place);
        }
        [[nodiscard]] static const std::byte* skip(const verified& place) noexcept { return Value::skip(place); }
    };

    // ---- what varies in size ------------------------------------------------------------------------------------

    /// A number in a head, `At` bytes from its first.
    template <class T, std::size_t At>
    struct stored {
        [[nodiscard]] static std::uint64_t get(const std::byte* head) noexcept { return load<T>(head + At); }
    };
    /// The same where the schema fixes it.
    template <std::uint64_t Value>
    struct constant {
        [[nodiscard]] static std::uint64_t get(const std::byte*) noexcept { return Value; }
    };

    /// A head of `Size` bytes that says how many elements follow, and how many bytes the block of each has.
    template <std::size_t Size, class Count, class Extent = constant<0>>
    struct head {
        static constexpr std::size_t size = Size;
        [[nodiscard]] static std::size_t count(const std::byte* at) noexcept {
            return static_cast<std::size_t>(Count::get(at));
        }
        [[nodiscard]] static std::uint64_t extent(const std::byte* at) noexcept { return Extent::get(at); }
    };

    /// A head, or the one that is nothing but a count where there is only its type.
    template <class Head>
    struct head_of {
        using type = Head;
    };
    template <std::unsigned_integral Count>
    struct head_of<Count> {
        using type = head<sizeof(Count), stored<Count, 0>>;
    };

    template <class HeadOrCount>
    struct text {
        using Head = typename head_of<HeadOrCount>::type;
        using value_type = std::string_view;
        static constexpr bool is_number = false;
        [[nodiscard]] static value_type get(const verified& place) noexcept {
            return {reinterpret_cast<const char*>(place.at + Head::size), Head::count(place.at)};
        }
        [[nodiscard]] static const std::byte* skip(const verified& place) noexcept {
            return place.at + Head::size + Head::count(place.at);
        }
    };

    template <class HeadOrCount>
    struct bytes {
        using Head = typename head_of<HeadOrCount>::type;
        using value_type = std::span<const std::byte>;
        static constexpr bool is_number = false;
        [[nodiscard]] static value_type get(const verified& place) noexcept {
            return {place.at + Head::size, Head::count(place.at)};
        }
        [[nodiscard]] static const std::byte* skip(const verified& place) noexcept {
            return place.at + Head::size + Head::count(place.at);
        }
    };

    /// A list, a set or a map, as it lies in the bytes: sets and maps may hold what they hold more than once, of which
    /// the first counts.
    template <class HeadOrCount, class Element>
    struct list {
        using Head = typename head_of<HeadOrCount>::type;
        using value_type = sequence<Element>;
        static constexpr bool is_number = false;
        [[nodiscard]] static value_type get(const verified& place) noexcept {
            const verified first{place.at + Head::size, place.base, Head::extent(place.at), place.version};
            return {first, Head::count(place.at)};
        }
        [[nodiscard]] static const std::byte* skip(const verified& place) noexcept { return get(place).behind(); }
    };

    /// `Count` elements one after another.
    template <std::size_t Count, class Element>
    struct series {
        using value_type = sequence<Element>;
        static constexpr bool is_number = false;
        [[nodiscard]] static value_type get(const verified& place) noexcept { return {place, Count}; }
        [[nodiscard]] static const std::byte* skip(const verified& place) noexcept { return get(place).behind(); }
    };

    /// A map's key and value.
    template <class Key, class Value>
    struct pair {
        using value_type = std::pair<typename Key::value_type, typename Value::value_type>;
        static constexpr bool is_number = false;
        [[nodiscard]] static value_type get(const verified& place) noexcept {
            return {Key::get(place), Value::get(place.moved(Key::skip(place)))};
        }
        [[nodiscard]] static const std::byte* skip(const verified& place) noexcept {
            return Value::skip(place.moved(Key::skip(place)));
        }
        [[nodiscard]] static std::size_t stride(const verified& place) noexcept
            requires requires {
                Key::stride(place);
                Value::stride(place);
            }
        {
            return Key::stride(place) + Value::stride(place);
        }
    };

    /// A byte that tells whether a value follows.
    template <class Value>
    struct maybe {
        using value_type = std::optional<typename Value::value_type>;
        static constexpr bool is_number = false;
        [[nodiscard]] static value_type get(const verified& place) noexcept {
            if (!load<bool>(place.at)) {
                return {};
            }
            return Value::get(place.moved(place.at + 1));
        }
        [[nodiscard]] static const std::byte* skip(const verified& place) noexcept {
            return load<bool>(place.at) ? Value::skip(place.moved(place.at + 1)) : place.at + 1;
        }
    };

    /// A record that ends where its last part does.
    template <class View>
    struct record {
        using value_type = View;
        static constexpr bool is_number = false;
        [[nodiscard]] static View get(const verified& place) noexcept { return View(place); }
        [[nodiscard]] static const std::byte* skip(const verified& place) noexcept { return end_of(View(place)); }
    };

    /// A record that is a block and nothing else: as many bytes as its head says.
    template <class View>
    struct block {
        using value_type = View;
        static constexpr bool is_number = false;
        [[nodiscard]] static View get(const verified& place) noexcept { return View(place); }
        [[nodiscard]] static std::size_t stride(const verified& place) noexcept {
            return static_cast<std::size_t>(place.extent);
        }
        [[nodiscard]] static const std::byte* skip(const verified& place) noexcept { return place.at + place.extent; }
    };
};

/// Checks a message as `Message` describes it, and gives the view of its record. Only where the bytes are refused they
/// are gone through once more, to say why. Part of its callers, so that the view's place need not lie in memory.
template <class Message>
[[gnu::always_inline]] inline result<typename Message::type> verify_as(
    std::span<const std::byte> in,
    const limits& most) {
    using reader_type = typename Message::reader_type;
    typename Message::place record;
    if (reader_type::watches.suffices(most, in.size())) [[likely]] {
        typename reader_type::template for_purpose<purpose::check> reader(in, most);
        if (Message::verify(reader, record) != nullptr && reader.affords()) [[likely]] {
            return typename Message::type(record);
        }
    }
    // By a place of its own: the other one need not lie in memory.
    typename Message::place found;
    const auto verified = read_carefully<reader_type>(in, most, [&found](auto& again) { return Message::verify(again, found); });
    if (!verified) {
        return verified.error();
    }
    return typename Message::type(found);
}

}  // namespace aldis
