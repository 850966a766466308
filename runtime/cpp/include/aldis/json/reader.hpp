// JSON text to values, strictly by RFC 8259 and by type: one pass over the text, nothing in between. Numbers are judged by
// their digits, so an integer of 64 bits keeps all of them and `1e3` is one; faults say the byte of the text.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../limits.hpp"
#include "../values.hpp"
#include "payer.hpp"
#include "text.hpp"

namespace aldis::json {

/// The members of an object that is being read.
template <std::size_t Fields>
struct members {
    /// The member whose value comes next.
    std::size_t field = Fields;
    std::bitset<Fields> seen;
    bool first = true;
    /// Names that mean nothing.
    std::set<std::string, std::less<>> skipped;

    [[nodiscard]] bool has(std::size_t index) const { return seen[index]; }
};

/// Reads values at a position in JSON text. A function that can fail returns whether it succeeded, and notes the fault.
template <policy P>
class reader : public payer {
public:
    reader(std::string_view text, const limits& most) noexcept : payer(text), depth_(most.depth) {}

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
    template <std::size_t Fields>
    bool next(members<Fields>& object, const std::array<std::string_view, Fields>& names) {
        for (;;) {
            if (take('}')) {
                return false;
            }
            if (!std::exchange(object.first, false) && !expect(',')) {
                return false;
            }
            peek();
            const std::size_t start = at_;
            std::string_view name;
            if (!string(name)) {
                return false;
            }
            // Most texts have their members in the schema's order.
            const std::size_t likely = object.field == Fields ? 0 : object.field + 1;
            object.field = likely;
            if (likely >= Fields || names[likely] != name) {
                for (object.field = 0; object.field < Fields && names[object.field] != name; ++object.field) {
                }
            }
            if (object.field < Fields && !object.seen[object.field]) {
                object.seen.set(object.field);
                return expect(':') || in_field(names[object.field]);
            }
            if (!P.skip_unknown || object.field < Fields || object.skipped.contains(name)) {
                return unexpected(start, name, object.field < Fields, names);
            }
            // The name is gone with the next string.
            const std::string& kept = *object.skipped.emplace(name).first;
            if (!expect(':') || !skip(depth_)) {
                return in_field(kept);
            }
        }
    }

    /// Notes that a member of a union is given; a second one is a fault.
    bool claim(bool& given) { return !std::exchange(given, true) || fail(code::bad_json, at_); }

    /// A constant that was given must be what the schema says; a NaN is any other.
    template <class T, class Fixed>
    bool agrees(const T& given, const Fixed& fixed) {
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(given) && std::isnan(fixed)) {
                return true;
            }
        }
        return given == fixed || fail(code::bad_json, at_);
    }

    /// A member that is required and not there.
    bool missing(std::string_view name) {
        fail(code::bad_json, at_ == 0 ? 0 : at_ - 1);
        say("it is missing");
        return in_field(name);
    }

    // ---- values -------------------------------------------------------------------------------------------------

    bool boolean(bool& value) {
        value = word("true");
        return value || word("false") || fail(code::bad_json, at_);
    }

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
            if (P.wide_text && peek() == '"') {
                return quoted_integer(value);
            }
            std::string_view text;
            if (!number(text)) {
                return false;
            }
            const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool plain = read.ec == std::errc{} && read.ptr == text.data() + text.size();
            return plain || unusual_integer(text, value) ||
                   outside(text, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
        }
    }

    /// Read as a double and narrowed where the type is narrower.
    template <class Float>
    bool real(Float& value) {
        if (P.non_finite && peek() == '"') {
            return non_finite(value);
        }
        if (P.omit_null && null()) {
            value = std::numeric_limits<Float>::quiet_NaN();
            return true;
        }
        std::string_view text;
        if (!number(text)) {
            return false;
        }
        double wide = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), wide);
        if (read.ec == std::errc::result_out_of_range) {
            wide = detail::is_huge(text) ? std::numeric_limits<double>::infinity() : text[0] == '-' ? -0.0 : 0.0;
        }
        value = static_cast<Float>(wide);
        return std::isfinite(value) ||
               fail_with(code::out_of_range, at_ - text.size(), text, "a number that its float can hold");
    }

    bool character(char& value) {
        peek();
        const std::size_t start = at_;
        std::string_view text;
        if (!string(text)) {
            return false;
        }
        if (text.empty() || utf8_length(text) != text.size()) {
            return fail_with(code::bad_json, start, text, "one character");
        }
        const auto bytes = detail::to_latin1(text);
        if (!bytes) {
            return fail_with(code::out_of_range, start, text, "a character of one byte");
        }
        value = bytes->front();
        return true;
    }

    bool text(auto& value) {
        std::string_view read;
        if (!string(read)) {
            return false;
        }
        value.assign(read);
        return true;
    }

    /// Text in which a byte is a character.
    bool latin1(auto& value) {
        peek();
        const std::size_t start = at_;
        std::string_view read;
        if (!string(read)) {
            return false;
        }
        auto bytes = detail::to_latin1(read);
        if (!bytes) {
            return fail_with(code::out_of_range, start, read, "text of characters of one byte");
        }
        value.assign(*bytes);
        return true;
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
    bool base64(auto& value) {
        return parsed_bytes(value, [](std::string_view text) { return detail::parse_base64(text); });
    }
    /// Two digits a byte.
    bool hex(auto& value) {
        return parsed_bytes(value, [](std::string_view text) -> std::optional<std::vector<std::byte>> {
            std::vector<std::byte> bytes;
            for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
                const int high = aldis::detail::hex_digit(text[at]);
                const int low = aldis::detail::hex_digit(text[at + 1]);
                if (high < 0 || low < 0) {
                    return std::nullopt;
                }
                bytes.push_back(static_cast<std::byte>(high * 16 + low));
            }
            return text.size() % 2 == 0 ? std::optional(std::move(bytes)) : std::nullopt;
        });
    }

    /// A value of a type that has none.
    template <class T>
    bool nothing(T& value) {
        value = {};
        return null() || fail(code::bad_json, at_);
    }
    /// A value whose type the schema leaves open: JSON cannot say it.
    template <class T>
    bool open_value(T& value) {
        value = {};
        peek();
        return fail(code::bad_json, at_);
    }

    bool quoted(uuid& value) {
        return parsed(value, [](std::string_view text) { return parse_uuid(text); });
    }

    bool quoted(decimal& value) {
        peek();
        const std::size_t start = at_;
        std::string_view text;
        if (!string(text)) {
            return false;
        }
        reader grammar(text, {});
        std::string_view all;
        if (text.empty() || grammar.peek() != text[0] || !grammar.number(all) || all != text) {
            return fail_with(code::bad_json, start, text, "a decimal");
        }
        const auto read = parse_decimal(text);
        if (!read) {
            return fail_with(code::out_of_range, start, text, "a decimal of at most 96 bits and 28 digits behind the point");
        }
        value = *read;
        return true;
    }

    /// An enum by name or number.
    template <class T>
    bool enumeration(T& value, std::span<const named<std::type_identity_t<T>>> names) {
        return peek() == '"' ? name_of(value, names) : integer(value);
    }

    /// Flags by a list of names and numbers, or, where the form's JSON has numbers, as one.
    template <class T>
    bool flags(T& value, std::span<const named<std::type_identity_t<T>>> names) {
        if (!P.names && peek() != '[') {
            return integer(value);
        }
        using bits_type = std::make_unsigned_t<std::underlying_type_t<T>>;
        bits_type bits = 0;
        const bool read = elements('[', ']', [&](std::size_t) {
            bits_type more = 0;
            T one{};
            if (peek() == '"' ? !name_of(one, names) : !integer(more)) {
                return false;
            }
            bits = static_cast<bits_type>(bits | more | static_cast<bits_type>(one));
            return true;
        });
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

    template <class T, class Memory, class Read>
    bool list(std::vector<T, Memory>& values, Read read) {
        values.clear();
        return elements('[', ']', [&](std::size_t index) {
            auto value = made_for<T>(values);
            if (!make_room(values) || !read(value)) {
                return in_element(index);
            }
            values.push_back(std::move(value));
            return true;
        });
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
        values.clear();
        peek();
        const std::size_t start = at_;
        bool twice = false;
        const bool good = elements('[', ']', [&](std::size_t index) {
            auto value = made_for<typename Set::value_type>(values);
            if (!take_memory(node_size<typename Set::value_type>) || !read(value)) {
                return in_element(index);
            }
            twice = !values.insert(std::move(value)).second || twice;
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
            const std::string kept(text);
            if (!read_key(kept, key, start)) {
                return false;
            }
            return expect(':') && read(value);
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

    bool text_key(std::string_view text, auto& key, std::size_t) {
        key.assign(text);
        return true;
    }
    bool latin1_key(std::string_view text, auto& key, std::size_t at) {
        auto bytes = detail::to_latin1(text);
        if (!bytes) {
            return fail(code::out_of_range, at);
        }
        key.assign(*bytes);
        return true;
    }
    bool boolean_key(const std::string& text, bool& key, std::size_t at) {
        key = text == "true";
        return key || text == "false" || fail(code::bad_json, at);
    }
    /// UUIDs and decimals.
    template <class T>
    bool quoted_key(const std::string& text, T& key, std::size_t at) {
        const std::string json = '"' + text + '"';
        // Only text without characters to escape can be one.
        const bool plain = text.find_first_of("\"\\") == std::string::npos;
        reader inner(json, {});
        if (plain && inner.quoted(key)) {
            return true;
        }
        return fail(plain ? inner.fault().what : code::bad_json, at);
    }
    /// Numbers and enums, in plain decimal digits.
    template <class T>
    bool integer_key(const std::string& text, T& key, std::size_t at) {
        const std::string_view digits = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
        const bool canonical = text == "0" || (!digits.empty() && digits[0] != '0' &&
                                               digits.find_first_not_of("0123456789") == std::string_view::npos);
        if (!canonical) {
            return fail(code::bad_json, at);
        }
        reader inner(text, {});
        return inner.integer(key) || fail(inner.fault().what, at);
    }

private:
    /// A value that is to become an element. Its memory is the container's, so that moving it there takes no more.
    template <class T, class Container>
    [[nodiscard]] static T made_for(const Container& container) {
        return std::make_obj_using_allocator<T>(container.get_allocator());
    }

    /// `each` reads an element.
    template <class Each>
    bool elements(char opens, char closes, Each each) {
        if (!expect(opens)) {
            return false;
        }
        for (std::size_t index = 0; !take(closes); ++index) {
            if (index > 0 && !expect(',')) {
                return false;
            }
            peek();
            if (!each(index)) {
                return false;
            }
        }
        return true;
    }

    template <class Map, class Read>
    bool entries_of(Map& entries, char opens, char closes, Read read) {
        entries.clear();
        peek();
        const std::size_t start = at_;
        bool twice = false;
        const bool good = elements(opens, closes, [&](std::size_t index) {
            auto key = made_for<typename Map::key_type>(entries);
            auto value = made_for<typename Map::mapped_type>(entries);
            if (!take_memory(node_size<typename Map::value_type>) || !read(key, value)) {
                return in_element(index);
            }
            twice = !entries.emplace(std::move(key), std::move(value)).second || twice;
            return true;
        });
        return good && (!twice || fail(code::bad_json, start));
    }

    template <class T, class Parse>
    bool parsed(T& value, Parse parse) {
        peek();
        const std::size_t start = at_;
        std::string_view text;
        if (!string(text)) {
            return false;
        }
        auto read = parse(text);
        if (!read) {
            return fail(code::bad_json, start);
        }
        value = std::move(*read);
        return true;
    }

    template <class Bytes, class Parse>
    bool parsed_bytes(Bytes& value, Parse parse) {
        std::vector<std::byte> read;
        if (!parsed(read, parse)) {
            return false;
        }
        value.assign(read.begin(), read.end());
        return true;
    }

    template <class T>
    bool name_of(T& value, std::span<const named<std::type_identity_t<T>>> names) {
        peek();
        const std::size_t start = at_;
        std::string_view text;
        if (!string(text)) {
            return false;
        }
        for (const named<T>& one : names) {
            if (one.name == text) {
                value = one.value;
                return true;
            }
        }
        return none_of<T>(start, text, names);
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

    /// Integers with a point or an exponent, and negative zero for what has no sign.
    template <class T>
    static bool unusual_integer(std::string_view text, T& value) {
        const bool negative = text[0] == '-';
        const auto size = detail::magnitude(text.substr(negative ? 1 : 0));
        constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
        const std::uint64_t room = negative ? (std::is_signed_v<T> ? most + 1 : 0) : most;
        if (!size || *size > room) {
            return false;
        }
        value = static_cast<T>(negative ? 0 - *size : *size);
        return true;
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
