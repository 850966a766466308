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

/// How far an object is read.
struct object_place {
    /// The member whose value comes next.
    std::size_t field = 0;
    /// Where its name begins, and the name.
    std::size_t start = 0;
    std::string_view name;
    bool first = true;
};

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

    [[gnu::noinline]] bool text(auto& value) {
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

    /// The number of a name in a table.
    [[gnu::noinline]] bool name_of(std::uint64_t& bits, const name_table& names) {
        peek();
        const std::size_t start = at_;
        std::string_view text;
        if (!string(text)) {
            return false;
        }
        const std::size_t found = names.find(text);
        if (found == names.size()) {
            return none_of(start, text, names);
        }
        bits = names.bits(found);
        return true;
    }

    /// An integer from `least`, which is 0 or -`most` - 1, to `most`.
    [[gnu::noinline]] bool whole(std::uint64_t& bits, long long least, unsigned long long most) {
        const std::size_t start = at_;
        std::uint64_t size = 0;
        bool negative = false;
        if (plain_integer(size, negative)) [[likely]] {
            if (size <= largest(negative, least, most)) [[likely]] {
                bits = negative ? 0 - size : size;
                return true;
            }
            at_ = start;
        }
        return unusual_integer(bits, least, most);
    }

    /// The same, or its name in a table.
    [[gnu::noinline]] bool whole_or_name(
        std::uint64_t& bits, const name_table& names, long long least, unsigned long long most) {
        return peek() == '"' ? name_of(bits, names) : whole(bits, least, most);
    }

    /// A list of names and of numbers up to `most`, put together.
    [[gnu::noinline]] bool bits_of_list(std::uint64_t& bits, const name_table& names, unsigned long long most) {
        bits = 0;
        return elements('[', ']', [&](std::size_t) {
            std::uint64_t more = 0;
            const bool read = whole_or_name(more, names, 0, most);
            bits |= more;
            return read;
        });
    }

    /// A float, whose type may be narrower.
    bool any_real(double& value, bool narrow) {
        return plain_real(value) || long_real(value, narrow);
    }

    /// The same for numbers of any length.
    [[gnu::noinline]] bool long_real(double& value, bool narrow) {
        std::string_view text;
        if (!number(text)) {
            return false;
        }
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        if (read.ec == std::errc::result_out_of_range) {
            value = detail::is_huge(text) ? std::numeric_limits<double>::infinity() : text[0] == '-' ? -0.0 : 0.0;
        }
        return std::isfinite(narrow ? static_cast<double>(static_cast<float>(value)) : value) ||
               fail_with(code::out_of_range, at_ - text.size(), text, "a number that its float can hold");
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

    /// What a record's object has next.
    enum class comes : std::uint8_t { member, unknown, end_or_fault };

    /// Goes to the value of a member that has no bit in `seen` yet, or behind a name of no member where `skips` says so.
    [[gnu::noinline]] comes next_member(object_place& object, std::uint64_t* seen, const name_list& names, bool skips) {
        const char next = peek();
        if (next == '}') {
            ++at_;
            return comes::end_or_fault;
        }
        if (!std::exchange(object.first, false)) {
            if (next != ',') {
                fail(code::bad_json, at_);
                return comes::end_or_fault;
            }
            ++at_;
            peek();
        }
        object.start = at_;
        std::string_view name;
        if (!string(name)) {
            return comes::end_or_fault;
        }
        // Most texts have their members in the schema's order.
        const std::size_t count = names.size();
        std::size_t found = object.field == count ? 0 : object.field + 1;
        if (found >= count || !detail::is_same(names[found], name)) {
            found = names.find(name);
        }
        object.field = found;
        if (found == count) {
            object.name = name;
            if (!skips) {
                unexpected(object.start, name, false, names);
            }
            return skips ? comes::unknown : comes::end_or_fault;
        }
        const std::uint64_t bit = std::uint64_t{1} << found % 64;
        if ((seen[found / 64] & bit) != 0) {
            unexpected(object.start, name, true, names);
            return comes::end_or_fault;
        }
        seen[found / 64] |= bit;
        if (!expect(':')) {
            in_field(names[found]);
            return comes::end_or_fault;
        }
        return comes::member;
    }

    /// Goes past the value of a name of no member, which may be there once.
    template <class Skipped>
    [[gnu::noinline]] bool skip_member(
        const object_place& object, Skipped& skipped, const name_list& names, std::uint32_t depth) {
        // The name is gone with the next string.
        const auto [kept, is_new] = skipped.emplace(object.name);
        if (!is_new) {
            return unexpected(object.start, object.name, false, names);
        }
        return (expect(':') && skip(depth)) || in_field(*kept);
    }

private:
    /// The largest magnitude of an integer that may be so large and so small.
    static constexpr std::uint64_t largest(bool negative, long long least, unsigned long long most) noexcept {
        return !negative ? most : least < 0 ? most + 1 : 0;
    }

    /// Integers with a point, an exponent or many digits.
    [[gnu::cold, gnu::noinline]] bool unusual_integer(std::uint64_t& bits, long long least, unsigned long long most) {
        std::string_view text;
        if (!number(text)) {
            return false;
        }
        const bool negative = text[0] == '-';
        const auto size = detail::magnitude(text.substr(negative ? 1 : 0));
        if (!size || *size > largest(negative, least, most)) {
            return outside(text, least, most);
        }
        bits = negative ? 0 - *size : *size;
        return true;
    }
};

}  // namespace aldis::json
