// Single values of JSON that are read alike whatever the form's policy is.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "payer.hpp"
#include "text.hpp"

namespace aldis::json {

/// Tokens, and the values that they are.
class scalars : public payer {
public:
    using payer::payer;

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

    bool boolean(bool& value) {
        value = word("true");
        return value || word("false") || fail(code::bad_json, at_);
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
        std::string byte;
        if (!detail::to_latin1(text, byte)) {
            return fail_with(code::out_of_range, start, text, "a character of one byte");
        }
        value = byte.front();
        return true;
    }

    bool text(auto& value) {
        std::string_view read;
        if (!string_into(read, value)) {
            return false;
        }
        // Text with escapes is there already.
        if (read.data() != value.data()) {
            value.assign(read);
        }
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
        return detail::to_latin1(read, value) ||
               fail_with(code::out_of_range, start, read, "text of characters of one byte");
    }

    bool base64(auto& value) {
        return parsed_bytes([&value](std::string_view text) { return detail::parse_base64(text, value); });
    }
    /// Two digits a byte.
    bool hex(auto& value) {
        return parsed_bytes([&value](std::string_view text) {
            value.clear();
            for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
                const int high = aldis::detail::hex_digit(text[at]);
                const int low = aldis::detail::hex_digit(text[at + 1]);
                if (high < 0 || low < 0) {
                    return false;
                }
                value.push_back(static_cast<std::byte>(high * 16 + low));
            }
            return text.size() % 2 == 0;
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
        tokens grammar(text);
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

    bool text_key(std::string_view text, auto& key, std::size_t) {
        key.assign(text);
        return true;
    }
    bool latin1_key(std::string_view text, auto& key, std::size_t at) {
        return detail::to_latin1(text, key) || fail(code::out_of_range, at);
    }
    bool boolean_key(std::string_view text, bool& key, std::size_t at) {
        key = text == "true";
        return key || text == "false" || fail(code::bad_json, at);
    }

protected:
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

    template <class Parse>
    bool parsed_bytes(Parse parse) {
        peek();
        const std::size_t start = at_;
        std::string_view text;
        return string(text) && (parse(text) || fail(code::bad_json, start));
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
            if (detail::is_same(one.name, text)) {
                value = one.value;
                return true;
            }
        }
        return none_of<T>(start, text, names);
    }

    /// The largest magnitude that a type holds.
    template <class T>
    static constexpr std::uint64_t largest(bool negative) noexcept {
        constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
        return negative ? (std::is_signed_v<T> ? most + 1 : 0) : most;
    }

    /// Integers with a point, an exponent or many digits.
    template <class T>
    static bool unusual_integer(std::string_view text, T& value) {
        const bool negative = text[0] == '-';
        const auto size = detail::magnitude(text.substr(negative ? 1 : 0));
        if (!size || *size > largest<T>(negative)) {
            return false;
        }
        value = static_cast<T>(negative ? 0 - *size : *size);
        return true;
    }
};

}  // namespace aldis::json
