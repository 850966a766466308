// The end of a string that JSON is appended to: room is asked for ahead, so that most characters are plain stores.
#pragma once

#include <algorithm>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "text.hpp"

namespace aldis::json {

/// While there is one, the string may end behind what was written; `finish` and the destructor cut it there.
class sink {
public:
    explicit sink(std::string& out) noexcept : out_(out), at_(out.data() + out.size()), end_(at_) {}
    sink(const sink&) = delete;
    sink& operator=(const sink&) = delete;
    ~sink() { finish(); }

    [[gnu::noinline]] void finish() noexcept {
        out_.resize(size());
        end_ = at_;
    }

    [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - out_.data()); }
    [[nodiscard]] char at(std::size_t index) const noexcept { return out_[index]; }
    [[nodiscard]] char back() const noexcept { return at_[-1]; }

    /// Room for so many more characters; `to` says up to where they were written.
    [[nodiscard]] char* room(std::size_t count) {
        if (static_cast<std::size_t>(end_ - at_) < count) [[unlikely]] {
            grow(count);
        }
        return at_;
    }
    void to(char* at) noexcept { at_ = at; }

    void put(char character) {
        *room(1) = character;
        ++at_;
    }
    void put(std::string_view text) {
        if (!text.empty()) {
            std::memcpy(room(text.size()), text.data(), text.size());
            at_ += text.size();
        }
    }
    /// The same for what mostly is short, without a call then.
    void put_short(std::string_view text) {
        char* const at = room(text.size());
        if (text.size() <= aldis::detail::short_size) [[likely]] {
            aldis::detail::copy_short(at, text.data(), text.size());
        } else {
            std::memcpy(at, text.data(), text.size());
        }
        at_ += text.size();
    }
    void put(std::size_t count, char character) {
        std::memset(room(count), character, count);
        at_ += count;
    }

    /// Takes the last character back.
    void drop() noexcept { --at_; }
    /// Puts a character in front of the one at `index`.
    void insert(std::size_t index, char character) {
        put(character);
        char* const place = out_.data() + index;
        std::memmove(place + 1, place, size() - index - 1);
        *place = character;
    }

private:
    [[gnu::cold, gnu::noinline]] void grow(std::size_t count) {
        constexpr std::size_t few = 256;
        const std::size_t used = size();
        out_.resize(used + std::max({count, used, few}));
        at_ = out_.data() + used;
        end_ = out_.data() + out_.size();
    }

    std::string& out_;
    char* at_;
    char* end_;
};

namespace detail {

/// Digits, up to 20 of them.
[[gnu::noinline]] inline char* put_digits(char* at, std::uint64_t value) noexcept { return std::to_chars(at, at + 20, value).ptr; }

[[gnu::noinline]] inline void put_integer(sink& out, bool negative, std::uint64_t size) {
    constexpr std::size_t longest = 24;
    char* const at = out.room(longest);
    *at = '-';
    out.to(put_digits(at + (negative ? 1 : 0), size));
}

/// Floats that are multiples of a small fraction are found by two multiplications instead of a search for their digits: a
/// decimal of no more digits than its float surely keeps is the only one so short that reads back, so it is the shortest.
template <class Float>
struct few_digits {
    static constexpr Float scale = std::is_same_v<Float, float> ? Float{1e3F} : static_cast<Float>(1e6);
    static constexpr Float most = std::is_same_v<Float, float> ? Float{1e6F} : static_cast<Float>(1e15);
    static constexpr unsigned places = std::is_same_v<Float, float> ? 3 : 6;
};

/// Writes a float that is not negative where that is quickly done, and gives the place behind it; null otherwise. The room
/// must be there. Where the machine calculates with more bits than its floats have, nothing is quickly done.
template <class Float>
inline char* put_short_float(char* at, Float value) noexcept {
    using few = few_digits<Float>;
    if (FLT_EVAL_METHOD != 0 || !(value < few::most)) {
        return nullptr;
    }
    if (!(value * few::scale < few::most)) {
        const auto whole = static_cast<std::uint64_t>(value);
        if (static_cast<Float>(whole) != value) {
            return nullptr;
        }
        at = put_digits(at, whole);
        *at++ = '.';
        *at++ = '0';
        return at;
    }
    const auto units = static_cast<std::uint64_t>(value * few::scale + Float{0.5});
    if (static_cast<Float>(units) / few::scale != value) {
        return nullptr;
    }
    constexpr auto scale = static_cast<std::uint64_t>(few::scale);
    at = put_digits(at, units / scale);
    *at++ = '.';
    auto fraction = static_cast<std::uint32_t>(units % scale);
    // A digit at least stands behind the point, and no zero ends the others.
    for (auto place = static_cast<std::uint32_t>(scale / 10); place > 0; place /= 10) {
        *at++ = static_cast<char>('0' + fraction / place);
        fraction %= place;
        if (fraction == 0) {
            break;
        }
    }
    return at;
}

/// Writes some characters, and gives the place behind them.
[[gnu::noinline]] inline char* put_some(char* at, const char* from, int count) noexcept {
    std::memcpy(at, from, static_cast<std::size_t>(count));
    return at + count;
}

/// Writes a float by the shortest digits that read back at its own width, laid out as ECMAScript does (ECMA-262,
/// Number::toString), whole numbers with `.0`.
template <class Float>
[[gnu::noinline]] inline char* put_any_float(char* at, Float value) {
    // `d.ddde±xx`
    char text[40];
    const char* const end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
    const char* mark = text + 1;
    while (*mark != 'e') {
        ++mark;
    }
    int exponent = 0;
    for (const char* digit = mark + 2; digit != end; ++digit) {
        exponent = exponent * 10 + (*digit - '0');
    }
    exponent = mark[1] == '-' ? -exponent : exponent;
    char digits[40];
    digits[0] = text[0];
    const int count = mark - text > 2 ? static_cast<int>(mark - text) - 1 : 1;
    put_some(digits + 1, text + 2, count - 1);
    const auto put = [&at](const char* from, int size) { at = put_some(at, from, size); };
    // ECMAScript's n is our exponent + 1: plain digits from 1e-6 up to below 1e21.
    if (exponent < -6 || exponent >= 21) {
        *at++ = digits[0];
        if (count > 1) {
            *at++ = '.';
            put(digits + 1, count - 1);
        }
        *at++ = 'e';
        *at++ = exponent < 0 ? '-' : '+';
        return put_digits(at, static_cast<std::uint64_t>(exponent < 0 ? -exponent : exponent));
    }
    if (exponent < 0) {
        put("0.00000", 1 - exponent);
        put(digits, count);
    } else if (count <= exponent + 1) {
        put(digits, count);
        put("000000000000000000000", exponent + 1 - count);
        put(".0", 2);
    } else {
        put(digits, exponent + 1);
        *at++ = '.';
        put(digits + exponent + 1, count - exponent - 1);
    }
    return at;
}

/// Appends a finite float; negative zero has its sign.
template <class Float>
[[gnu::noinline]] inline void put_float(sink& out, Float value) {
    constexpr std::size_t longest = 40;
    char* at = out.room(longest);
    if (std::signbit(value)) {
        *at++ = '-';
        value = -value;
    }
    char* const end = put_short_float(at, value);
    out.to(end != nullptr ? end : put_any_float(at, value));
}

[[gnu::cold, gnu::noinline]] inline void put_escaped(sink& out, char byte) {
    constexpr std::string_view kinds = "\"\\\b\f\n\r\t";
    constexpr std::string_view letters = "\"\\bfnrt";
    constexpr char digits[] = "0123456789abcdef";
    char escape[] = {'\\', 'u', '0', '0', digits[byte >> 4 & 15], digits[byte & 15]};
    const std::size_t kind = kinds.find(byte);
    if (kind != std::string_view::npos) {
        escape[1] = letters[kind];
    }
    out.put(std::string_view(escape, kind == std::string_view::npos ? sizeof escape : 2));
}

/// Appends text as a JSON string: valid UTF-8, or, with `Latin1`, text in which a byte is the character of that number.
template <bool Latin1 = false>
[[gnu::noinline]] inline void put_string(sink& out, std::string_view text) {
    out.put('"');
    while (!text.empty()) {
        const std::size_t plain = plain_length<Latin1>(text);
        out.put(text.substr(0, plain));
        text.remove_prefix(plain);
        if (text.empty()) {
            break;
        }
        const char byte = text.front();
        text.remove_prefix(1);
        if (Latin1 && static_cast<unsigned char>(byte) >= 0x80) {
            out.put(static_cast<char>(0xC0 | static_cast<unsigned char>(byte) >> 6));
            out.put(static_cast<char>(0x80 | (byte & 0x3F)));
        } else {
            put_escaped(out, byte);
        }
    }
    out.put('"');
}

/// Appends ASCII that has nothing to escape as a JSON string; false for other text, which is not appended.
inline bool put_plain(sink& out, std::string_view text) {
    if (!is_plain(text)) [[unlikely]] {
        return false;
    }
    char* const at = out.room(text.size() + 2);
    *at = '"';
    if (!text.empty()) {
        std::memcpy(at + 1, text.data(), text.size());
    }
    at[text.size() + 1] = '"';
    out.to(at + text.size() + 2);
    return true;
}

/// Appends valid UTF-8 as a JSON string; false for other text, unless that is to be shown as it is.
[[gnu::noinline]] inline bool put_text(sink& out, std::string_view text, bool as_it_is) {
    const bool good = as_it_is || is_utf8(text);
    if (good) {
        put_string(out, text);
    }
    return good;
}

/// A name from a table, as a string.
[[gnu::noinline]] inline void put_name(sink& out, std::string_view name) {
    if (!put_plain(out, name)) {
        put_string(out, name);
    }
}

/// Flags by the names of their single bits, what has no name as a number behind them.
[[gnu::noinline]] inline void put_flags(sink& out, std::uint64_t rest, const name_table& bits) {
    char before = '[';
    for (std::size_t index = 0; index < bits.size(); ++index) {
        const std::uint64_t mask = bits.bits(index);
        if ((rest & mask) != 0) {
            rest &= ~mask;
            out.put(before);
            put_name(out, bits[index]);
            before = ',';
        }
    }
    if (rest != 0) {
        out.put(before);
        put_integer(out, false, rest);
        before = ',';
    }
    out.put(before == '[' ? "[]" : "]");
}

}  // namespace detail

}  // namespace aldis::json
