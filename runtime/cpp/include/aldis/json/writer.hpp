// Values as JSON text: compact, members in the schema's order.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "../result.hpp"
#include "../values.hpp"
#include "text.hpp"

namespace aldis::json {

namespace detail {

template <class Integer>
inline void append_integer(std::string& out, Integer value) {
    char digits[24];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// Appends a finite float: the shortest digits that read back at its own width, laid out as ECMAScript does
/// (ECMA-262, Number::toString), whole numbers with `.0`, negative zero with its sign.
template <class Float>
inline void append_float(std::string& out, Float value) {
    if (std::signbit(value)) {
        out += '-';
        value = -value;
    }
    // `d.ddde±xx`
    char text[40];
    const char* const end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
    const std::string_view all(text, static_cast<std::size_t>(end - text));
    const std::size_t mark = all.find('e');
    int exponent = 0;
    std::from_chars(text + mark + (text[mark + 1] == '+' ? 2 : 1), end, exponent);
    std::string digits(1, text[0]);
    if (mark > 2) {
        digits += all.substr(2, mark - 2);
    }
    const int count = static_cast<int>(digits.size());
    // ECMAScript's n is our exponent + 1: plain digits from 1e-6 up to below 1e21.
    if (exponent < -6 || exponent >= 21) {
        out += digits[0];
        if (count > 1) {
            out += '.';
            out.append(digits, 1);
        }
        out += exponent < 0 ? "e-" : "e+";
        append_integer(out, exponent < 0 ? -exponent : exponent);
        return;
    }
    if (exponent < 0) {
        out += "0.";
        out.append(static_cast<std::size_t>(-exponent - 1), '0');
        out += digits;
    } else if (count <= exponent + 1) {
        out += digits;
        out.append(static_cast<std::size_t>(exponent + 1 - count), '0');
        out += ".0";
    } else {
        out.append(digits, 0, static_cast<std::size_t>(exponent + 1));
        out += '.';
        out.append(digits, static_cast<std::size_t>(exponent + 1));
    }
}

inline void append_escaped(std::string& out, char byte) {
    constexpr char digits[] = "0123456789abcdef";
    switch (byte) {
        case '"': out += "\\\""; return;
        case '\\': out += "\\\\"; return;
        case '\b': out += "\\b"; return;
        case '\f': out += "\\f"; return;
        case '\n': out += "\\n"; return;
        case '\r': out += "\\r"; return;
        case '\t': out += "\\t"; return;
        default:
            out += "\\u00";
            out += digits[byte >> 4];
            out += digits[byte & 15];
    }
}

/// Appends valid UTF-8 as a JSON string.
inline void append_string(std::string& out, std::string_view text) {
    out += '"';
    std::size_t plain = 0;
    for (std::size_t index = 0; index < text.size(); ++index) {
        const char byte = text[index];
        if (static_cast<unsigned char>(byte) >= 0x20 && byte != '"' && byte != '\\') {
            continue;
        }
        out.append(text, plain, index - plain);
        plain = index + 1;
        append_escaped(out, byte);
    }
    out.append(text, plain);
    out += '"';
}

}  // namespace detail

/// Appends JSON to a string. A function that can fail returns whether it succeeded, and notes the fault.
template <policy P>
class writer : public answering_trace {
public:
    explicit writer(std::string& out) noexcept : out_(out) {}

    static constexpr policy form = P;

    [[gnu::cold, gnu::noinline]] bool fail(code what) {
        note(what, error::nowhere);
        return false;
    }

    /// Text as it is: brackets, and the names of members.
    void raw(std::string_view text) { out_ += text; }

    // ---- objects whose members are left out where they are null ---------------------------------------------------

    /// An object, or the members of a value that stand among those around it; the destructor writes its end.
    class scope {
    public:
        scope(writer& out, std::string prefix, std::string_view close)
            : out_(out), outer_(std::exchange(out.prefix_, std::move(prefix))), close_(close) {}
        scope(const scope&) = delete;
        scope& operator=(const scope&) = delete;
        ~scope() {
            out_.raw(close_);
            out_.prefix_ = std::move(outer_);
        }

    private:
        writer& out_;
        std::string outer_;
        std::string_view close_;
    };

    [[nodiscard]] scope object() {
        out_ += '{';
        return scope(*this, {}, "}");
    }
    /// The members to come have this in front of their names.
    [[nodiscard]] scope flattened(std::string_view prefix) { return scope(*this, prefix_ + std::string(prefix), {}); }

    /// The name of a member: `"name":`.
    void member(std::string_view name) {
        if (out_.back() != '{') {
            out_ += ',';
        }
        if (prefix_.empty()) {
            out_ += name;
            return;
        }
        detail::append_string(out_, prefix_);
        out_.pop_back();
        out_ += name.substr(1);
    }

    /// A value whose type the schema leaves open: JSON cannot say it.
    template <class T>
    bool open_value(const T&) {
        return fail(code::bad_value);
    }
    /// A value of a type that has none.
    template <class T>
    bool nothing(const T&) {
        return null();
    }
    bool null() {
        out_ += "null";
        return true;
    }

    bool boolean(bool value) {
        out_ += value ? "true" : "false";
        return true;
    }

    /// A number, or the number of an enum.
    template <class T>
    bool integer(T value) {
        if constexpr (std::is_enum_v<T>) {
            return integer(static_cast<std::underlying_type_t<T>>(value));
        } else {
            detail::append_integer(out_, value);
            return true;
        }
    }

    /// An integer of 64 bits, where the form's JSON has such as text.
    template <class T>
    bool wide_integer(T value) {
        out_ += '"';
        detail::append_integer(out_, value);
        out_ += '"';
        return true;
    }

    template <class Float>
    bool real(Float value) {
        if (!std::isfinite(value)) [[unlikely]] {
            if (!P.non_finite && !P.printing) {
                return fail(code::bad_value);
            }
            out_ += std::isnan(value) ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
            return true;
        }
        detail::append_float(out_, value);
        return true;
    }

    bool character(char value) { return latin1({&value, 1}); }

    bool text(std::string_view value) {
        if (!P.printing && !is_utf8(value)) [[unlikely]] {
            return fail(code::bad_text);
        }
        detail::append_string(out_, value);
        return true;
    }

    /// Text in which a byte is a character.
    bool latin1(std::string_view value) {
        detail::append_string(out_, detail::from_latin1(value));
        return true;
    }

    bool bytes(std::span<const std::byte> value) {
        if constexpr (!P.byte_arrays) {
            return base64(value);
        }
        return list(value, [this](std::byte byte) { return integer(static_cast<unsigned>(byte)); });
    }
    bool base64(std::span<const std::byte> value) {
        out_ += '"';
        detail::append_base64(out_, value);
        out_ += '"';
        return true;
    }
    bool hex(std::span<const std::byte> value) {
        constexpr char digits[] = "0123456789abcdef";
        out_ += '"';
        for (const std::byte byte : value) {
            out_ += digits[static_cast<unsigned>(byte) >> 4];
            out_ += digits[static_cast<unsigned>(byte) & 15];
        }
        out_ += '"';
        return true;
    }

    template <class T>
        requires(std::is_same_v<T, uuid> || std::is_same_v<T, decimal>)
    bool quoted(const T& value) {
        out_ += '"';
        out_ += to_string(value);
        out_ += '"';
        return true;
    }

    /// An enum by name, or by number where it has none.
    template <class T>
    bool enumeration(T value, std::string_view name) {
        if (!P.names || name.empty()) {
            return integer(value);
        }
        detail::append_string(out_, name);
        return true;
    }

    /// Flags by the names of their single bits, what has no name as a number behind them.
    template <class T>
    bool flags(T value, std::span<const named<std::type_identity_t<T>>> bits) {
        if constexpr (!P.names) {
            return integer(value);
        }
        auto rest = static_cast<std::make_unsigned_t<std::underlying_type_t<T>>>(value);
        char before = '[';
        for (const named<T>& bit : bits) {
            const auto mask = static_cast<decltype(rest)>(bit.value);
            if ((rest & mask) != 0) {
                rest = static_cast<decltype(rest)>(rest & ~mask);
                out_ += before;
                detail::append_string(out_, bit.name);
                before = ',';
            }
        }
        if (rest != 0) {
            out_ += before;
            detail::append_integer(out_, rest);
            before = ',';
        }
        out_ += before == '[' ? "[]" : "]";
        return true;
    }

    template <class Maybe, class Write>
    bool optional(const Maybe& value, Write write) {
        return value.has_value() ? write(*value) : null();
    }

    /// A value, or this text where there is none.
    template <class Maybe, class Write>
    bool optional(const Maybe& value, std::string_view none, Write write) {
        if (!value.has_value()) {
            raw(none);
            return true;
        }
        return write(*value);
    }

    /// Any row of values.
    template <class Row, class Write>
    bool list(const Row& values, Write write) {
        out_ += '[';
        std::size_t index = 0;
        for (const auto& value : values) {
            if (index > 0) {
                out_ += ',';
            }
            if (!write(value)) {
                return in_element(index);
            }
            ++index;
        }
        out_ += ']';
        return true;
    }

    /// A map whose keys have text, as an object.
    template <class Map, class WriteKey, class Write>
    bool map(const Map& entries, WriteKey write_key, Write write) {
        out_ += '{';
        std::size_t index = 0;
        for (const auto& [key, value] : entries) {
            if (index > 0) {
                out_ += ',';
            }
            const std::size_t from = out_.size();
            if (!write_key(key)) {
                return in_element(index);
            }
            if (out_[from] != '"') {
                out_.insert(from, 1, '"');
                out_ += '"';
            }
            out_ += ':';
            if (!write(value)) {
                return in_element(index);
            }
            ++index;
        }
        out_ += '}';
        return true;
    }

    /// A map whose keys have none, as an array of pairs.
    template <class Map, class WriteKey, class Write>
    bool pairs(const Map& entries, WriteKey write_key, Write write) {
        return list(entries, [&](const auto& entry) {
            out_ += '[';
            if (!write_key(entry.first)) {
                return false;
            }
            out_ += ',';
            if (!write(entry.second)) {
                return false;
            }
            out_ += ']';
            return true;
        });
    }

private:
    std::string& out_;
    /// Goes before the names of members.
    std::string prefix_;
};

}  // namespace aldis::json
