// JSON text to values, strictly by RFC 8259 and by type: one pass over the text, nothing in between. Numbers are judged by
// their digits, so an integer of 64 bits keeps all of them and `1e3` is one; faults say the byte of the text.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../limits.hpp"
#include "../values.hpp"
#include "kinds.hpp"
#include "scalars.hpp"

namespace aldis::json {

struct no_names {};

/// The members of an object that is being read; `Skips` where there may be others.
template <std::size_t Fields, bool Skips = false>
struct members : object_place {
    members() noexcept { field = Fields; }

    /// A bit for each.
    std::array<std::uint64_t, Fields / 64 + 1> seen{};
    /// The names of others.
    std::conditional_t<Skips, std::set<std::string, std::less<>>, no_names> skipped;

    [[nodiscard]] bool has(std::size_t index) const { return (seen[index / 64] >> index % 64 & 1) != 0; }
};

/// Reads values at a position in JSON text. A function that can fail returns whether it succeeded, and notes the fault.
template <policy P>
class reader : public scalars {
public:
    reader(std::string_view text, const limits& most) noexcept : scalars(text), depth_(most.depth) {}

    static constexpr policy form = P;

    // ---- objects ------------------------------------------------------------------------------------------------

    /// Enters the object of a record.
    bool open() {
        if (depth_ == 0) {
            peek();
            return fail(code::too_deep, at_);
        }
        --depth_;
        return expect('{');
    }

    /// Leaves it; gives that nothing failed.
    bool close() noexcept {
        ++depth_;
        return true;
    }

    [[nodiscard]] std::uint32_t depth() const noexcept { return depth_; }

    /// Enters a record whose members stand among those of an object around it.
    bool open_members() {
        if (depth_ == 0) {
            return fail(code::too_deep, at_);
        }
        --depth_;
        return true;
    }

    /// Finds the member that comes next, up to its value; false at the object's end and on a fault.
    template <std::size_t Fields, bool Skips>
    bool next(members<Fields, Skips>& object, const std::array<std::string_view, Fields>& names) {
        const name_list list(names);
        for (;;) {
            const comes found = next_member(object, object.seen.data(), list, Skips);
            if (found != comes::unknown) {
                return found == comes::member;
            }
            if constexpr (Skips) {
                if (!skip_member(object, object.skipped, list, depth_)) {
                    return false;
                }
            }
        }
    }

    /// Reads the object of a record to the places of its fields; `seen` gets a bit for each member that was there. A constant
    /// has a place too, which is not written to.
    [[gnu::noinline]] bool read_members(
        std::span<const read_member<P>> all, std::span<std::uint64_t> seen, const void* const* places) {
        const auto place = [places](std::size_t index) { return const_cast<void*>(places[index]); };
        if (!open()) {
            return false;
        }
        object_place object;
        object.field = all.size();
        while (next_member(object, seen.data(), name_list(all), false) == comes::member) {
            const read_member<P>& member = all[object.field];
            if (!member.read(*this, place(object.field))) {
                return in_field(member.key);
            }
        }
        if (failed()) {
            return false;
        }
        for (std::size_t index = 0; index < all.size(); ++index) {
            if (is_seen(seen, index)) {
                continue;
            }
            if (all[index].absent == nullptr) {
                return missing(all[index].field);
            }
            all[index].absent(place(index));
        }
        return close();
    }

    /// A member that is required and not there.
    bool missing(std::string_view name) {
        fail(code::bad_json, at_ == 0 ? 0 : at_ - 1);
        say("it is missing");
        return in_field(name);
    }

    // ---- values -------------------------------------------------------------------------------------------------

    /// An integer, or the number of an enum.
    template <class T>
    bool integer(T& value) {
        if constexpr (std::is_enum_v<T>) {
            std::underlying_type_t<T> bits{};
            if (!integer(bits)) {
                return false;
            }
            value = static_cast<T>(bits);
            return true;
        } else {
            if constexpr (P.wide_text) {
                if (peek() == '"') {
                    return quoted_integer(value);
                }
            }
            std::uint64_t bits = 0;
            const bool read = whole(bits, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
            value = static_cast<T>(bits);
            return read;
        }
    }

    /// Read as a double and narrowed where the type is narrower.
    template <class Float>
    bool real(Float& value) {
        if constexpr (P.non_finite) {
            if (peek() == '"') {
                return non_finite(value);
            }
        }
        if (P.omit_null && null()) {
            value = std::numeric_limits<Float>::quiet_NaN();
            return true;
        }
        double wide = 0;
        const bool read = any_real(wide, sizeof(Float) < sizeof(double));
        value = static_cast<Float>(wide);
        return read;
    }

    bool bytes(auto& value) {
        if constexpr (!P.byte_arrays) {
            return base64(value);
        }
        value.clear();
        return elements('[', ']', [&](std::size_t index) {
            std::uint8_t byte = 0;
            if (!integer(byte)) {
                return in_element(index);
            }
            value.push_back(static_cast<std::byte>(byte));
            return true;
        });
    }
    /// An enum by name or number.
    template <class T>
    bool enumeration(T& value, std::span<const named<std::type_identity_t<T>>> names) {
        using number = std::numeric_limits<std::underlying_type_t<T>>;
        std::uint64_t bits = 0;
        const bool read = whole_or_name(bits, name_table(names), number::min(), number::max());
        value = static_cast<T>(bits);
        return read;
    }

    /// Flags by a list of names and numbers, or, where the form's JSON has numbers, as one.
    template <class T>
    [[gnu::noinline]] bool flags(T& value, std::span<const named<std::type_identity_t<T>>> names) {
        if (!P.names && peek() != '[') {
            return integer(value);
        }
        std::uint64_t bits = 0;
        using bits_type = std::make_unsigned_t<std::underlying_type_t<T>>;
        const bool read = bits_of_list(bits, name_table(names), std::numeric_limits<bits_type>::max());
        value = static_cast<T>(bits);
        return read;
    }

    template <class Maybe, class Read>
    bool optional(Maybe& value, Read read) {
        if (null()) {
            value.reset();
            return true;
        }
        return take_held(value) && read(present(value));
    }

    /// Elements that were there before are read over, so that their memory is used again.
    template <class T, class Memory, class Read>
    bool list(std::vector<T, Memory>& values, Read read) {
        std::size_t count = 0;
        if constexpr (std::is_same_v<T, bool>) {
            values.clear();
        }
        const bool good = elements('[', ']', [&](std::size_t index) {
            if (index >= values.size() && !make_room(values)) {
                return in_element(index);
            }
            if constexpr (std::is_same_v<T, bool>) {
                bool value = false;
                if (!read(value)) {
                    return in_element(index);
                }
                values.push_back(value);
            } else if (!read(element(values, index))) {
                return in_element(index);
            }
            count = index + 1;
            return true;
        });
        fit(values, count);
        return good;
    }

    template <class T, std::size_t Size, class Read>
    bool array(std::array<T, Size>& values, Read read) {
        peek();
        const std::size_t start = at_;
        std::size_t count = 0;
        const bool good = elements('[', ']', [&](std::size_t index) {
            count = index + 1;
            if constexpr (Size == 0) {
                T beyond{};
                return read(beyond) || in_element(index);
            } else {
                // An element beyond the last one is read over it, since the array is refused in the end.
                return read(values[std::min(index, Size - 1)]) || in_element(index);
            }
        });
        return good && (count == Size || not_so_many(start, count, Size));
    }

    template <class Set, class Read>
    bool set(Set& values, Read read) {
        Set spare = emptied(values);
        peek();
        const std::size_t start = at_;
        bool twice = false;
        const bool good = elements('[', ']', [&](std::size_t index) {
            if (!take_memory(node_size<typename Set::value_type>)) {
                return in_element(index);
            }
            auto node = take_node(spare);
            if (!read(node.value())) {
                return in_element(index);
            }
            twice = !values.insert(std::move(node)).inserted || twice;
            return true;
        });
        return good && (!twice || fail(code::bad_json, start));
    }

    /// A map whose keys have text; `read_key` gets a reader of the key's text as JSON has it elsewhere.
    template <class Map, class ReadKey, class Read>
    bool map(Map& entries, ReadKey read_key, Read read) {
        return entries_of(entries, '{', '}', [&](auto& key, auto& value) {
            peek();
            const std::size_t start = at_;
            std::string_view text;
            if (!string(text)) {
                return false;
            }
            return read_key(text, key, start) && expect(':') && read(value);
        });
    }

    /// A map whose keys have none: an array of pairs.
    template <class Map, class ReadKey, class Read>
    bool pairs(Map& entries, ReadKey read_key, Read read) {
        return entries_of(entries, '[', ']', [&](auto& key, auto& value) {
            return expect('[') && read_key(key) && expect(',') && read(value) && expect(']');
        });
    }

    // ---- keys of maps -------------------------------------------------------------------------------------------

    /// UUIDs and decimals.
    template <class T>
    bool quoted_key(std::string_view text, T& key, std::size_t at) {
        const std::string json = '"' + std::string(text) + '"';
        // Only text without characters to escape can be one.
        const bool plain = text.find_first_of("\"\\") == std::string_view::npos;
        reader inner(json, {});
        if (plain && inner.quoted(key)) {
            return true;
        }
        return fail(plain ? inner.fault().what : code::bad_json, at);
    }
    /// Numbers and enums, in plain decimal digits.
    template <class T>
    bool integer_key(std::string_view text, T& key, std::size_t at) {
        const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
        const bool canonical = text == "0" || (!digits.empty() && digits[0] != '0' &&
                                               digits.find_first_not_of("0123456789") == std::string_view::npos);
        if (!canonical) {
            return fail(code::bad_json, at);
        }
        reader inner(text, {});
        return inner.integer(key) || fail(inner.fault().what, at);
    }

private:
    template <class Map, class Read>
    bool entries_of(Map& entries, char opens, char closes, Read read) {
        Map spare = emptied(entries);
        peek();
        const std::size_t start = at_;
        bool twice = false;
        const bool good = elements(opens, closes, [&](std::size_t index) {
            if (!take_memory(node_size<typename Map::value_type>)) {
                return in_element(index);
            }
            auto node = take_node(spare);
            if (!read(node.key(), node.mapped())) {
                return in_element(index);
            }
            twice = !entries.insert(std::move(node)).inserted || twice;
            return true;
        });
        return good && (!twice || fail(code::bad_json, start));
    }

    /// An integer as a string of digits.
    template <class T>
    bool quoted_integer(T& value) {
        const std::size_t start = at_;
        std::string_view text;
        if (!string(text)) {
            return false;
        }
        reader digits(text, {});
        std::string_view all;
        if (text.empty() || digits.peek() != text[0] || !digits.number(all) || all != text) {
            return fail(code::bad_json, start);
        }
        digits.at_ = 0;
        return digits.integer(value) || fail(digits.fault().what, start);
    }

    template <class Float>
    bool non_finite(Float& value) {
        const std::size_t start = at_;
        std::string_view text;
        if (!string(text)) {
            return false;
        }
        constexpr Float infinity = std::numeric_limits<Float>::infinity();
        if (text != "NaN" && text != "Infinity" && text != "-Infinity") {
            return fail(code::bad_json, start);
        }
        value = text == "NaN" ? std::numeric_limits<Float>::quiet_NaN() : text == "Infinity" ? infinity : -infinity;
        return true;
    }

    std::uint32_t depth_;
};

}  // namespace aldis::json
