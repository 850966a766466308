// JSON text to values, strictly by RFC 8259 and by type: one pass over the text, nothing in between. Numbers are judged by
// their digits, so an integer of 64 bits keeps all of them and `1e3` is one; faults say the byte of the text.
#pragma once

#include <array>
#include <bitset>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../limits.hpp"
#include "../result.hpp"
#include "../values.hpp"
#include "text.hpp"

namespace aldis::json {

/// The members of an object that is being read.
template <std::size_t Fields>
struct members {
    /// The member whose value comes next.
    std::size_t field = Fields;
    std::bitset<Fields> seen;
    bool first = true;

    [[nodiscard]] bool has(std::size_t index) const { return seen[index]; }
};

namespace detail {

/// The magnitude of a JSON number that is an integer; nothing for fractions, and for what 64 bits do not hold.
inline std::optional<std::uint64_t> magnitude(std::string_view unsigned_text) {
    const std::size_t mark = unsigned_text.find_first_of("eE");
    const std::string_view mantissa = unsigned_text.substr(0, mark);
    long long exponent = 0;
    if (mark != std::string_view::npos) {
        std::string_view text = unsigned_text.substr(mark + 1);
        text.remove_prefix(text.front() == '+' ? 1 : 0);
        if (std::from_chars(text.data(), text.data() + text.size(), exponent).ec != std::errc{}) {
            exponent = text.front() == '-' ? -1'000'000'000'000 : 1'000'000'000'000;
        }
    }
    const std::size_t point = mantissa.find('.');
    std::string digits(mantissa.substr(0, point));
    if (point != std::string_view::npos) {
        digits += mantissa.substr(point + 1);
        exponent -= static_cast<long long>(mantissa.size() - point - 1);
    }
    const std::size_t last = digits.find_last_not_of('0');
    if (last == std::string::npos) {
        return 0;
    }
    exponent += static_cast<long long>(digits.size() - last - 1);
    digits.erase(last + 1);
    digits.erase(0, digits.find_first_not_of('0'));
    if (exponent < 0 || static_cast<long long>(digits.size()) + exponent > 20) {
        return std::nullopt;
    }
    digits.append(static_cast<std::size_t>(exponent), '0');
    std::uint64_t value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return read.ec == std::errc{} ? std::optional(value) : std::nullopt;
}

/// Whether a number beyond what doubles hold is beyond the largest rather than below the smallest.
inline bool is_huge(std::string_view text) {
    const std::size_t mark = text.find_first_of("eE");
    const std::string_view mantissa = text.substr(0, mark);
    const std::size_t first = mantissa.find_first_of("123456789");
    const std::size_t point = mantissa.find('.') == std::string_view::npos ? mantissa.size() : mantissa.find('.');
    const bool small = mark != std::string_view::npos && text[mark + 1] == '-';
    return first != std::string_view::npos && (mark == std::string_view::npos ? first < point : !small);
}

}  // namespace detail

/// A position in JSON text. What can fail gives whether it did not, and notes the fault.
template <policy P>
class reader : public trace {
public:
    reader(std::string_view text, const limits& most) noexcept : text_(text), depth_(most.depth) {}

    static constexpr policy form = P;

    [[gnu::cold, gnu::noinline]] bool fail(code what, std::size_t at) {
        note(what, at);
        failed_ = true;
        return false;
    }
    [[gnu::cold, gnu::noinline]] bool in_field(std::string_view name) {
        note_field(name);
        return false;
    }
    [[gnu::cold, gnu::noinline]] bool in_element(std::size_t index) {
        note_element(index);
        return false;
    }
    [[nodiscard]] bool failed() const noexcept { return failed_; }

    // ---- tokens -------------------------------------------------------------------------------------------------

    /// The next byte that is no white space, without taking it; NUL at the end.
    char peek() noexcept {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
            ++at_;
        }
        return at_ < text_.size() ? text_[at_] : '\0';
    }

    bool take(char byte) noexcept {
        const bool found = peek() == byte && at_ < text_.size();
        at_ += found ? 1 : 0;
        return found;
    }

    bool expect(char byte) { return take(byte) || fail(code::bad_json, at_); }

    /// Checks that nothing but white space is left.
    bool end() {
        peek();
        return at_ == text_.size() || fail(code::bad_json, at_);
    }

    /// Takes `true`, `false` or `null` if that word comes next.
    bool word(std::string_view wanted) noexcept {
        peek();
        const std::string_view rest = text_.substr(at_);
        const auto is_letter = [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        };
        const bool found = rest.starts_with(wanted) && !(rest.size() > wanted.size() && is_letter(rest[wanted.size()]));
        at_ += found ? wanted.size() : 0;
        return found;
    }
    bool null() noexcept { return word("null"); }

    /// A string's characters; they are valid until the next string is read.
    bool string(std::string_view& value) {
        if (!expect('"')) {
            return false;
        }
        const std::size_t start = at_;
        std::size_t plain = start;
        bool escaped = false;
        while (at_ < text_.size() && text_[at_] != '"') {
            if (static_cast<unsigned char>(text_[at_]) < 0x20) {
                return fail(code::bad_json, at_);
            }
            if (text_[at_] != '\\') {
                ++at_;
                continue;
            }
            if (!escaped) {
                scratch_.clear();
                escaped = true;
            }
            scratch_ += text_.substr(plain, at_ - plain);
            if (!escape()) {
                return false;
            }
            plain = at_;
        }
        if (at_ == text_.size()) {
            return fail(code::bad_json, start - 1);
        }
        value = text_.substr(plain, at_ - plain);
        if (escaped) {
            scratch_ += value;
            value = scratch_;
        }
        ++at_;
        return detail::is_utf8(value) || fail(code::bad_json, start);
    }

    /// A number's text, in JSON's grammar.
    bool number(std::string_view& value) {
        const char next = peek();
        if (next != '-' && (next < '0' || next > '9')) {
            return fail(code::bad_json, at_);
        }
        const std::size_t start = at_;
        std::size_t at = start + (next == '-' ? 1 : 0);
        const auto digits = [this, &at] {
            const std::size_t from = at;
            while (at < text_.size() && text_[at] >= '0' && text_[at] <= '9') {
                ++at;
            }
            return at - from;
        };
        const bool zero = at < text_.size() && text_[at] == '0';
        const std::size_t whole = digits();
        bool valid = whole == 1 || (whole > 1 && !zero);
        if (at < text_.size() && text_[at] == '.') {
            ++at;
            valid = digits() > 0 && valid;
        }
        if (at < text_.size() && (text_[at] == 'e' || text_[at] == 'E')) {
            ++at;
            at += at < text_.size() && (text_[at] == '+' || text_[at] == '-') ? 1 : 0;
            valid = digits() > 0 && valid;
        }
        if (!valid) {
            return fail(code::bad_json, start);
        }
        value = text_.substr(start, at - start);
        at_ = at;
        return true;
    }

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

    /// Finds the member that comes next, up to its value; false at the object's end and on a fault.
    template <std::size_t Fields>
    bool next(members<Fields>& object, const std::array<std::string_view, Fields>& names) {
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
        if (object.field == Fields || object.seen[object.field]) {
            fail(code::bad_json, start);
            return in_field(name);
        }
        object.seen.set(object.field);
        return expect(':') || in_field(names[object.field]);
    }

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
            std::string_view text;
            if (!number(text)) {
                return false;
            }
            const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool plain = read.ec == std::errc{} && read.ptr == text.data() + text.size();
            return plain || unusual_integer(text, value) || fail(code::out_of_range, at_ - text.size());
        }
    }

    /// Read as a double and narrowed where the type is narrower.
    template <class Float>
    bool real(Float& value) {
        if (P.non_finite && peek() == '"') {
            return non_finite(value);
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
        return std::isfinite(value) || fail(code::out_of_range, at_ - text.size());
    }

    bool character(char& value) {
        peek();
        const std::size_t start = at_;
        std::string_view text;
        if (!string(text)) {
            return false;
        }
        if (text.empty() || detail::utf8_length(text) != text.size()) {
            return fail(code::bad_json, start);
        }
        const auto bytes = detail::to_latin1(text);
        if (!bytes) {
            return fail(code::out_of_range, start);
        }
        value = bytes->front();
        return true;
    }

    bool text(std::string& value) {
        std::string_view read;
        if (!string(read)) {
            return false;
        }
        value.assign(read);
        return true;
    }

    /// Text in which a byte is a character.
    bool latin1(std::string& value) {
        peek();
        const std::size_t start = at_;
        std::string_view read;
        if (!string(read)) {
            return false;
        }
        auto bytes = detail::to_latin1(read);
        if (!bytes) {
            return fail(code::out_of_range, start);
        }
        value = std::move(*bytes);
        return true;
    }

    bool bytes(std::vector<std::byte>& value) {
        return parsed(value, [](std::string_view text) { return detail::parse_base64(text); });
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
            return fail(code::bad_json, start);
        }
        const auto read = parse_decimal(text);
        if (!read) {
            return fail(code::out_of_range, start);
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
        return read(present(value));
    }

    template <class T, class Read>
    bool list(std::vector<T>& values, Read read) {
        values.clear();
        return elements('[', ']', [&](std::size_t index) {
            T value{};
            if (!read(value)) {
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
            T beyond{};
            return read(index < Size ? values[index] : beyond) || in_element(index);
        });
        return good && (count == Size || fail(code::bad_json, start));
    }

    template <class Set, class Read>
    bool set(Set& values, Read read) {
        values.clear();
        peek();
        const std::size_t start = at_;
        bool twice = false;
        const bool good = elements('[', ']', [&](std::size_t index) {
            typename Set::value_type value{};
            if (!read(value)) {
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

    bool text_key(const std::string& text, std::string& key, std::size_t) {
        key = text;
        return true;
    }
    bool latin1_key(const std::string& text, std::string& key, std::size_t at) {
        auto bytes = detail::to_latin1(text);
        if (!bytes) {
            return fail(code::out_of_range, at);
        }
        key = std::move(*bytes);
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
            typename Map::key_type key{};
            typename Map::mapped_type value{};
            if (!read(key, value)) {
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
        return fail(code::bad_json, start);
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

    /// Appends the character that an escape stands for.
    bool escape() {
        const std::size_t start = at_;
        const char kind = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
        at_ += 2;
        if (kind == 'u') {
            return unicode(start);
        }
        constexpr std::string_view kinds = "\"\\/bfnrt";
        constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
        const std::size_t index = kind == '\0' ? std::string_view::npos : kinds.find(kind);
        if (index == std::string_view::npos) {
            return fail(code::bad_json, start);
        }
        scratch_ += meant[index];
        return true;
    }

    bool unicode(std::size_t start) {
        std::uint32_t character = 0;
        if (!hex4(start, character)) {
            return false;
        }
        if (character >= 0xD800 && character < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
            at_ += 2;
            std::uint32_t low = 0;
            if (!hex4(start, low)) {
                return false;
            }
            if (low >= 0xDC00 && low < 0xE000) {
                character = 0x10000 + ((character - 0xD800) << 10) + (low - 0xDC00);
            }
        }
        if (character >= 0xD800 && character < 0xE000) {
            return fail(code::bad_json, start);
        }
        detail::append_character(scratch_, character);
        return true;
    }

    bool hex4(std::size_t start, std::uint32_t& value) {
        if (text_.size() - at_ < 4 || at_ > text_.size()) {
            return fail(code::bad_json, start);
        }
        for (const std::size_t end = at_ + 4; at_ < end; ++at_) {
            const int digit = aldis::detail::hex_digit(text_[at_]);
            if (digit < 0) {
                return fail(code::bad_json, start);
            }
            value = value << 4 | static_cast<std::uint32_t>(digit);
        }
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::uint32_t depth_;
    bool failed_ = false;
    /// The last string that had escapes.
    std::string scratch_;
};

}  // namespace aldis::json
