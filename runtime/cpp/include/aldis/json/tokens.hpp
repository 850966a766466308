// The tokens of JSON (RFC 8259), read strictly.
#pragma once

#include <algorithm>
#include <bit>
#include <cfloat>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "../result.hpp"
#include "../values.hpp"
#include "text.hpp"

namespace aldis::json {

namespace detail {

/// The number behind a JSON number's `e`, 0 where there is none, cut to what no text's digits can make up for.
[[gnu::cold, gnu::noinline]] inline long long exponent_of(std::string_view text) {
    const std::size_t mark = text.find_first_of("eE");
    if (mark == std::string_view::npos) {
        return 0;
    }
    text.remove_prefix(mark + 1);
    const bool negative = text.front() == '-';
    text.remove_prefix(negative || text.front() == '+' ? 1 : 0);
    constexpr long long most = 1'000'000'000'000;
    long long exponent = 0;
    for (const char digit : text) {
        exponent = std::min(exponent * 10 + (digit - '0'), most);
    }
    return negative ? -exponent : exponent;
}

/// The magnitude of a JSON number that is an integer; nothing for fractions, and for what 64 bits do not hold.
[[gnu::cold, gnu::noinline]] inline std::optional<std::uint64_t> magnitude(std::string_view unsigned_text) {
    long long exponent = exponent_of(unsigned_text);
    std::uint64_t value = 0;
    const auto append = [&value](unsigned digit) {
        return !__builtin_mul_overflow(value, std::uint64_t{10}, &value) && !__builtin_add_overflow(value, digit, &value);
    };
    // Zeros count where a digit comes behind them, or the exponent asks for them.
    long long zeros = 0;
    bool fraction = false;
    for (const char digit : unsigned_text.substr(0, unsigned_text.find_first_of("eE"))) {
        if (digit == '.') {
            fraction = true;
            continue;
        }
        exponent -= fraction ? 1 : 0;
        if (digit == '0') {
            ++zeros;
            continue;
        }
        for (; zeros > 0; --zeros) {
            if (!append(0)) {
                return std::nullopt;
            }
        }
        if (!append(static_cast<unsigned>(digit - '0'))) {
            return std::nullopt;
        }
    }
    if (value == 0) {
        return value;
    }
    for (exponent += zeros; exponent > 0; --exponent) {
        if (!append(0)) {
            return std::nullopt;
        }
    }
    return exponent == 0 ? std::optional(value) : std::nullopt;
}

/// Whether a number beyond what doubles hold is beyond the largest rather than below the smallest.
[[gnu::cold, gnu::noinline]] inline bool is_huge(std::string_view text) {
    const std::size_t mark = text.find_first_of("eE");
    const std::string_view mantissa = text.substr(0, mark);
    const std::size_t first = mantissa.find_first_of("123456789");
    const std::size_t point = mantissa.find('.') == std::string_view::npos ? mantissa.size() : mantissa.find('.');
    // The place of the first digit that is not zero, counted from the point: 1 for units.
    const long long place = static_cast<long long>(point) - static_cast<long long>(first) + (first > point ? 1 : 0);
    return first != std::string_view::npos && place + exponent_of(text) > 0;
}

/// Text of the input as a fault shows it: its beginning, in quotes, without what would command a terminal.
[[gnu::cold, gnu::noinline]] inline std::string quoted_start(std::string_view text) {
    constexpr std::size_t most = 40;
    std::size_t size = std::min(text.size(), most);
    while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) {
        --size;
    }
    char shown[most];
    std::transform(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size), shown,
                   [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c; });
    return aldis::detail::phrase().add("\"").add({shown, size}).add(size < text.size() ? "…\"" : "\"").take();
}

/// Names in a row: `buy, sell`. Of very many the first ones.
[[gnu::cold, gnu::noinline]] inline std::string in_a_row(const name_list& names) {
    constexpr std::size_t most = 40;
    aldis::detail::phrase row;
    for (std::size_t index = 0; index < names.size(); ++index) {
        if (index == most) {
            row.add(" and ").add(names.size() - most).add(" more");
            break;
        }
        row.add(index == 0 ? "" : ", ").add(names[index]);
    }
    return row.take();
}

}  // namespace detail

/// A position in JSON text. A function that can fail returns whether it succeeded, and notes the fault.
class tokens : public answering_trace {
public:
    explicit tokens(std::string_view text) noexcept : text_(text) {}

    [[gnu::cold, gnu::noinline]] bool fail(code what, std::size_t at) {
        note(what, at);
        failed_ = true;
        return false;
    }
    /// The same for a text that is not `wanted`.
    [[gnu::cold, gnu::noinline]] bool fail_with(code what, std::size_t at, std::string_view text, std::string_view wanted) {
        fail(what, at);
        say(aldis::detail::phrase().add(detail::quoted_start(text)).add(" is not ").add(wanted).take());
        return false;
    }
    /// The same for a number that its type cannot hold.
    [[gnu::cold, gnu::noinline]] bool outside(std::string_view number, long long least, unsigned long long most) {
        fail(code::out_of_range, at_ - number.size());
        aldis::detail::phrase words;
        words.add(number.substr(0, 40)).add(number.size() > 40 ? "…" : "").add(" is not a whole number from ");
        words.add(least < 0 ? "-" : "").add(least < 0 ? 0 - static_cast<std::uint64_t>(least) : std::uint64_t{0});
        say(words.add(" to ").add(most).take());
        return false;
    }
    /// The same for a list that is an array of another length.
    [[gnu::cold, gnu::noinline]] bool not_so_many(std::size_t start, std::size_t count, std::size_t wanted) {
        fail(code::bad_json, start);
        say(aldis::detail::phrase().add("a list of ").add(count).add(" is not a list of ").add(wanted).take());
        return false;
    }
    /// A name that is none of an enum's or flags type's.
    [[gnu::cold, gnu::noinline]] bool none_of(std::size_t start, std::string_view text, const name_list& names) {
        fail(code::bad_json, start);
        say(aldis::detail::phrase().add(detail::quoted_start(text)).add(" is none of ").add(detail::in_a_row(names)).take());
        return false;
    }

    /// A member that the record does not have, or has twice.
    [[gnu::cold, gnu::noinline]] bool unexpected(
        std::size_t start, std::string_view name, bool twice, const name_list& names) {
        fail(code::bad_json, start);
        aldis::detail::phrase words;
        if (twice) {
            words.add("it is there twice");
        } else {
            words.add("there is no such field; there are ").add(detail::in_a_row(names));
        }
        say(words.take());
        return in_field(name);
    }
    /// Takes back the words of a fault in a field whose value is not shown.
    [[gnu::cold, gnu::noinline]] bool hide() {
        say({});
        return false;
    }
    [[nodiscard]] bool failed() const noexcept { return failed_; }

    /// The place in the text at which the next token is looked for, and going elsewhere.
    [[nodiscard]] std::size_t position() const noexcept { return at_; }
    void go(std::size_t at) noexcept { at_ = at; }

    // ---- tokens -------------------------------------------------------------------------------------------------

    /// The next byte that is no white space, without taking it; NUL at the end.
    char peek() noexcept {
        if (at_ < text_.size() && text_[at_] > ' ') [[likely]] {
            return text_[at_];
        }
        return past_space();
    }

    bool take(char byte) noexcept {
        const bool found = peek() == byte && (byte != '\0' || at_ < text_.size());
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
    [[gnu::noinline]] bool word(std::string_view wanted) noexcept {
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
    bool string(std::string_view& value) { return string_into(value, scratch_); }

    /// The same; a string with escapes is put together in `room`.
    template <class Text>
    bool string_into(std::string_view& value, Text& room) {
        return short_string(value) || any_string(value, room);
    }

    /// Takes an integer of at most 18 digits without point and exponent; goes nowhere where the number is anything else.
    bool plain_integer(std::uint64_t& size, bool& negative) noexcept {
        negative = peek() == '-';
        const std::size_t first = at_ + (negative ? 1 : 0);
        std::size_t at = first;
        size = 0;
        for (; at < text_.size() && is_digit(text_[at]) && at - first < 19; ++at) {
            size = size * 10 + static_cast<unsigned>(text_[at] - '0');
        }
        const std::size_t digits = at - first;
        const char next = at < text_.size() ? text_[at] : '\0';
        if (digits == 0 || digits > 18 || (digits > 1 && text_[first] == '0') || next == '.' || (next | 0x20) == 'e') {
            return false;
        }
        at_ = at;
        return true;
    }

    /// The same for a number of at most 15 digits without exponent: as a quotient of two floats that are exact it is the
    /// nearest one, where the machine calculates with no more bits than floats have.
    [[gnu::always_inline]] bool plain_real(double& value) noexcept {
        constexpr double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
        const bool negative = peek() == '-';
        const std::size_t first = at_ + (negative ? 1 : 0);
        std::size_t at = first;
        std::uint64_t size = 0;
        const auto digits = [&] {
            const std::size_t from = at;
            for (; at < text_.size() && is_digit(text_[at]) && at - first < 18; ++at) {
                size = size * 10 + static_cast<unsigned>(text_[at] - '0');
            }
            return at - from;
        };
        const std::size_t whole = digits();
        std::size_t places = 0;
        bool good = whole == 1 || (whole > 1 && text_[first] != '0');
        if (at < text_.size() && text_[at] == '.') {
            ++at;
            places = digits();
            good = good && places > 0;
        }
        const char next = at < text_.size() ? text_[at] : '\0';
        if (FLT_EVAL_METHOD != 0 || !good || whole + places > 15 || (next | 0x20) == 'e') {
            return false;
        }
        value = static_cast<double>(size) / powers[places];
        value = negative ? -value : value;
        at_ = at;
        return true;
    }

    /// A number's text, in JSON's grammar.
    [[gnu::noinline]] bool number(std::string_view& value) {
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
            at += at < text_.size() && (text_[at] == '+' || text_[at] == '-') ? 1U : 0U;
            valid = digits() > 0 && valid;
        }
        if (!valid) {
            return fail(code::bad_json, start);
        }
        value = text_.substr(start, at - start);
        at_ = at;
        return true;
    }

    /// Goes past a value of any kind, which may nest `depth` levels deep.
    bool skip(std::uint32_t depth) {
        std::string_view ignored;
        switch (peek()) {
            case '"': return string(ignored);
            case '{': return skip_members('}', depth);
            case '[': return skip_members(']', depth);
            default: break;
        }
        return word("null") || word("true") || word("false") || number(ignored);
    }

protected:
    std::string_view text_;
    std::size_t at_ = 0;

private:
    /// What `peek` does where white space comes, or nothing.
    [[gnu::noinline]] char past_space() noexcept {
        const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
        while (at_ < text_.size() && is_space(text_[at_])) {
            ++at_;
        }
        return at_ < text_.size() ? text_[at_] : '\0';
    }

    static bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

    /// Takes a string of less than eight characters of ASCII, none of them escaped; goes nowhere where it is any other.
    bool short_string(std::string_view& value) noexcept {
        std::uint64_t eight = 0;
        if (std::endian::native != std::endian::little || peek() != '"' || text_.size() - at_ <= sizeof eight) {
            return false;
        }
        const char* const start = text_.data() + at_ + 1;
        std::memcpy(&eight, start, sizeof eight);
        const std::uint64_t special = detail::special_bytes<true>(eight);
        const auto size = static_cast<std::size_t>(std::countr_zero(special)) / 8;
        if (special == 0 || start[size] != '"') {
            return false;
        }
        value = {start, size};
        at_ += size + 2;
        return true;
    }

    template <class Text>
    [[gnu::noinline]] bool any_string(std::string_view& value, Text& room) {
        if (!expect('"')) {
            return false;
        }
        const std::size_t start = at_;
        at_ += detail::plain_length<true>(text_.substr(at_));
        if (at_ == text_.size() || text_[at_] != '"') [[unlikely]] {
            return special_string(value, room, start);
        }
        value = text_.substr(start, at_ - start);
        ++at_;
        return true;
    }

    /// Takes a string that begins at `start` from the first character on that is escaped or beyond ASCII.
    template <class Text>
    [[gnu::noinline]] bool special_string(std::string_view& value, Text& room, std::size_t start) {
        std::size_t plain = start;
        bool escaped = false;
        bool ascii = true;
        for (;;) {
            if (at_ == text_.size()) {
                return fail(code::bad_json, start - 1);
            }
            const auto next = static_cast<unsigned char>(text_[at_]);
            if (next == '"') {
                break;
            }
            if (next >= 0x80) {
                ascii = false;
                for (; at_ < text_.size() && static_cast<unsigned char>(text_[at_]) >= 0x80; ++at_) {
                }
            } else if (next < 0x20) {
                return fail(code::bad_json, at_);
            } else {
                if (!std::exchange(escaped, true)) {
                    room.clear();
                }
                detail::append(room, text_.substr(plain, at_ - plain));
                if (!escape(room)) {
                    return false;
                }
                plain = at_;
            }
            at_ += detail::plain_length<true>(text_.substr(at_));
        }
        value = text_.substr(plain, at_ - plain);
        if (escaped) {
            detail::append(room, value);
            value = room;
        }
        ++at_;
        return ascii || is_utf8(value) || fail(code::bad_json, start);
    }

    bool skip_members(char closes, std::uint32_t depth) {
        if (depth == 0) {
            return fail(code::too_deep, at_);
        }
        ++at_;
        std::set<std::string, std::less<>> seen;
        for (bool first = true; !take(closes); first = false) {
            if (!first && !expect(',')) {
                return false;
            }
            if (closes == '}') {
                peek();
                const std::size_t start = at_;
                std::string_view key;
                if (!string(key)) {
                    return false;
                }
                if (!seen.emplace(key).second) {
                    return fail(code::bad_json, start);
                }
                if (!expect(':')) {
                    return false;
                }
            }
            if (!skip(depth - 1)) {
                return false;
            }
        }
        return true;
    }

    /// Appends the character that an escape stands for.
    template <class Text>
    [[gnu::cold, gnu::noinline]] bool escape(Text& room) {
        const std::size_t start = at_;
        const char kind = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
        at_ += 2;
        if (kind == 'u') {
            return unicode(start, room);
        }
        constexpr std::string_view kinds = "\"\\/bfnrt";
        constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
        const std::size_t index = kind == '\0' ? std::string_view::npos : kinds.find(kind);
        if (index == std::string_view::npos) {
            return fail(code::bad_json, start);
        }
        detail::append(room, meant.substr(index, 1));
        return true;
    }

    template <class Text>
    [[gnu::cold, gnu::noinline]] bool unicode(std::size_t start, Text& room) {
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
        detail::append_character(room, character);
        return true;
    }

    [[gnu::cold, gnu::noinline]] bool hex4(std::size_t start, std::uint32_t& value) {
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

    bool failed_ = false;
    /// The last string that had escapes.
    std::string scratch_;
};

}  // namespace aldis::json
