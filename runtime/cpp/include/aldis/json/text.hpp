// The parts that readers and writers of JSON share: policies, base64, characters.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "../utf8.hpp"

namespace aldis::json {

/// The ways in which the JSON of forms differs.
struct policy {
    /// Enums as names and flags as lists of names; numbers when false.
    bool names = false;
    /// NaN and infinities as strings; refused when false.
    bool non_finite = false;
    /// A key that is missing takes the field's default; when false only what may be null or empty may be missing.
    bool defaults = false;
    /// Integers of 64 bits are strings of digits; any integer is read from one.
    bool wide_text = false;
    /// Bytes are arrays of numbers; base64 text when false.
    bool byte_arrays = false;
    /// Null fields are left out, and read where they are; a float's null is NaN.
    bool omit_null = false;
    /// Keys that mean nothing are skipped; refused when false.
    bool skip_unknown = false;
    /// For people: hidden fields show `***`, text that is not in its encoding is shown as it is.
    bool printing = false;
};

namespace detail {

/// Appends out of line: most strings are taken as they are.
template <class Text>
[[gnu::noinline]] inline void append(Text& out, std::string_view more) {
    out.append(more);
}

/// Appends a character of Unicode as UTF-8.
template <class Text>
void append_character(Text& out, std::uint32_t character) {
    char bytes[4];
    std::size_t size = 0;
    const auto put = [&](std::uint32_t byte) { bytes[size++] = static_cast<char>(byte); };
    if (character < 0x80) {
        put(character);
    } else if (character < 0x800) {
        put(0xC0 | character >> 6);
        put(0x80 | (character & 0x3F));
    } else if (character < 0x10000) {
        put(0xE0 | character >> 12);
        put(0x80 | (character >> 6 & 0x3F));
        put(0x80 | (character & 0x3F));
    } else {
        put(0xF0 | character >> 18);
        put(0x80 | (character >> 12 & 0x3F));
        put(0x80 | (character >> 6 & 0x3F));
        put(0x80 | (character & 0x3F));
    }
    append(out, {bytes, size});
}

/// Text in which a byte is the character of the same number, of valid UTF-8; false where a character is beyond U+00FF.
template <class Text>
bool to_latin1(std::string_view text, Text& out) {
    out.clear();
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const auto first = static_cast<unsigned char>(text[0]);
        if (length > 2 || (length == 2 && first > 0xC3)) {
            return false;
        }
        out += length == 1 ? text[0] : static_cast<char>(first << 6 | (static_cast<unsigned char>(text[1]) & 0x3F));
        text.remove_prefix(length);
    }
    return true;
}

/// Of eight bytes, the high bits of those that a JSON string cannot have as they are, and, with `Ascii`, of those beyond ASCII.
template <bool Ascii>
constexpr std::uint64_t special_bytes(std::uint64_t eight) noexcept {
    using aldis::detail::each_byte;
    // Of seven bits each, so that no sum goes beyond its byte.
    const std::uint64_t low = eight & each_byte(0x7F);
    const std::uint64_t no_quote = (low ^ each_byte('"')) + each_byte(0x7F);
    const std::uint64_t no_slash = (low ^ each_byte('\\')) + each_byte(0x7F);
    const std::uint64_t special = ~((low + each_byte(0x60)) & no_quote & no_slash);
    return (Ascii ? special | eight : special & ~eight) & each_byte(0x80);
}

/// The characters at the start of a text that a JSON string has as they are; with `Ascii` up to the first beyond ASCII.
template <bool Ascii>
[[gnu::noinline]] inline std::size_t plain_length(std::string_view text) noexcept {
    std::size_t at = 0;
    if constexpr (std::endian::native == std::endian::little) {
        for (std::uint64_t eight = 0; text.size() - at >= sizeof eight; at += sizeof eight) {
            std::memcpy(&eight, text.data() + at, sizeof eight);
            if (const std::uint64_t special = special_bytes<Ascii>(eight); special != 0) {
                return at + static_cast<std::size_t>(std::countr_zero(special)) / 8;
            }
        }
    }
    const auto is_plain = [](unsigned char c) {
        return c >= 0x20 && c != '"' && c != '\\' && !(Ascii && c >= 0x80);
    };
    while (at < text.size() && is_plain(static_cast<unsigned char>(text[at]))) {
        ++at;
    }
    return at;
}

/// Whether a JSON string has all of a text as it is, and the text is ASCII.
inline bool is_plain(std::string_view text) noexcept {
    const char* const at = text.data();
    const std::size_t size = text.size();
    const auto special = [](std::uint64_t eight) { return special_bytes<true>(eight); };
    const auto load = [at](auto word, std::size_t from) {
        std::memcpy(&word, at + from, sizeof word);
        return std::uint64_t{word};
    };
    if (size >= 8) {
        std::uint64_t any = special(load(std::uint64_t{}, size - 8));
        for (std::size_t from = 0; from + 8 < size; from += 8) {
            any |= special(load(std::uint64_t{}, from));
        }
        return any == 0;
    }
    if (size >= 4) {
        return special(load(std::uint32_t{}, 0) | load(std::uint32_t{}, size - 4) << 32) == 0;
    }
    std::uint64_t few = aldis::detail::each_byte(' ');
    for (const char byte : text) {
        few = few << 8 | static_cast<unsigned char>(byte);
    }
    return special(few) == 0;
}

/// Whether two short texts are equal, without a call.
inline bool is_same(std::string_view one, std::string_view other) noexcept {
    const std::size_t size = one.size();
    if (size != other.size()) {
        return false;
    }
    const auto differ = [&](auto word, std::size_t at) {
        auto same = word;
        std::memcpy(&word, one.data() + at, sizeof word);
        std::memcpy(&same, other.data() + at, sizeof word);
        return word ^ same;
    };
    if (size > 16) {
        return one == other;
    }
    if (size >= 8) {
        return (differ(std::uint64_t{}, 0) | differ(std::uint64_t{}, size - 8)) == 0;
    }
    if (size >= 4) {
        return (differ(std::uint32_t{}, 0) | differ(std::uint32_t{}, size - 4)) == 0;
    }
    return size == 0 || (one[0] == other[0] && one[size / 2] == other[size / 2] && one[size - 1] == other[size - 1]);
}

inline constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// What each character stands for as a digit of base64; 64 for others.
inline constexpr auto base64_values = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(64);
    for (std::size_t digit = 0; digit < base64_digits.size(); ++digit) {
        values[static_cast<unsigned char>(base64_digits[digit])] = static_cast<std::uint8_t>(digit);
    }
    return values;
}();

/// Writes bytes as base64 with padding, `base64_size` characters, and gives the place behind. (RFC 4648, section 4.)
inline char* put_base64(char* out, std::span<const std::byte> bytes) noexcept {
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t group = 0;
        for (std::size_t index = 0; index < 3; ++index) {
            group = group << 8 | (at + index < bytes.size() ? static_cast<std::uint32_t>(bytes[at + index]) : 0);
        }
        const std::size_t digits = bytes.size() - at >= 3 ? 4 : bytes.size() - at + 1;
        for (std::size_t index = 0; index < 4; ++index) {
            *out++ = index < digits ? base64_digits[group >> (18 - 6 * index) & 63] : '=';
        }
    }
    return out;
}
constexpr std::size_t base64_size(std::size_t bytes) noexcept { return (bytes + 2) / 3 * 4; }

/// The bytes of base64 with padding; false for any other text, also where the bits that pad are not zero.
template <class Bytes>
bool parse_base64(std::string_view text, Bytes& bytes) {
    bytes.clear();
    if (text.size() % 4 != 0) {
        return false;
    }
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t at = 0; at < text.size(); at += 4) {
        const bool last = at + 4 == text.size();
        const std::size_t pads = !last || text[at + 3] != '=' ? 0 : text[at + 2] == '=' ? 2 : 1;
        std::uint32_t group = 0;
        for (std::size_t index = 0; index < 4; ++index) {
            const std::uint32_t digit = index < 4 - pads ? base64_values[static_cast<unsigned char>(text[at + index])] : 0;
            if (digit == 64) {
                return false;
            }
            group = group << 6 | digit;
        }
        if ((group & ((1U << 8 * pads) - 1)) != 0) {
            return false;
        }
        for (std::size_t index = 0; index < 3 - pads; ++index) {
            bytes.push_back(static_cast<std::byte>(group >> (16 - 8 * index)));
        }
    }
    return true;
}

}  // namespace detail

/// A name and the number that it stands for.
template <class T>
struct named {
    std::string_view name;
    T value;
};

/// The names in a table, whatever stands beside them in its rows: one type for all tables, so that one function reads them.
class name_list {
public:
    template <std::size_t Count>
    name_list(const std::array<std::string_view, Count>& names) noexcept
        : name_list(names.data(), Count, sizeof(std::string_view)) {}
    /// The names of members.
    template <class Member>
    name_list(std::span<const Member> members) noexcept
        : name_list(members.empty() ? nullptr : &members[0].key, members.size(), sizeof(Member)) {}

    [[nodiscard]] std::size_t size() const noexcept { return count_; }
    [[nodiscard]] const std::string_view& operator[](std::size_t index) const noexcept {
        return *reinterpret_cast<const std::string_view*>(reinterpret_cast<const std::byte*>(first_) + index * width_);
    }
    /// The place of a name; the size where there is none.
    [[nodiscard, gnu::noinline]] std::size_t find(std::string_view name) const noexcept {
        std::size_t index = 0;
        while (index < count_ && !detail::is_same((*this)[index], name)) {
            ++index;
        }
        return index;
    }

protected:
    name_list(const std::string_view* first, std::size_t count, std::size_t width) noexcept
        : first_(first), count_(count), width_(width) {}

    const std::string_view* first_;
    std::size_t count_;
    std::size_t width_;
};

/// The same with the numbers that they stand for.
class name_table : public name_list {
public:
    template <class T>
    name_table(std::span<const named<T>> rows) noexcept
        : name_list(rows.empty() ? nullptr : &rows[0].name, rows.size(), sizeof(named<T>)),
          value_at_(offsetof(named<T>, value)),
          value_size_(sizeof(T)) {}

    /// The bits of a row's number; none above those of its type.
    [[nodiscard]] std::uint64_t bits(std::size_t index) const noexcept {
        const std::byte* const at = reinterpret_cast<const std::byte*>(&(*this)[index]) + value_at_;
        const auto load = [at](auto number) {
            std::memcpy(&number, at, sizeof number);
            return std::uint64_t{number};
        };
        switch (value_size_) {
            case 1: return load(std::uint8_t{});
            case 2: return load(std::uint16_t{});
            case 4: return load(std::uint32_t{});
            default: return load(std::uint64_t{});
        }
    }

private:
    std::size_t value_at_;
    std::size_t value_size_;
};

/// The first name of a value in a table; empty where it has none.
template <class Names, class T>
[[nodiscard]] constexpr std::string_view name_in(const Names& names, T value) noexcept {
    for (const auto& one : names) {
        if (one.value == value) {
            return one.name;
        }
    }
    return {};
}

}  // namespace aldis::json
