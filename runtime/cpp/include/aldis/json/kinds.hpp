// How values are read from JSON and written as JSON: a type for each kind, put together as values are, and the tables of records'
// members. A function is made for each kind and type of value that a program has, not for each field, and what goes through
// the members is one function for all records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "text.hpp"

namespace aldis::json {

template <policy P>
class reader;
template <policy P>
class writer;

/// The kinds. `write` and `read` tell whether they could.
namespace as {

struct boolean {
    static bool write(auto& out, const auto& value) { return out.boolean(value); }
    static bool read(auto& in, auto& value) { return in.boolean(value); }
};
struct character {
    static bool write(auto& out, const auto& value) { return out.character(value); }
    static bool read(auto& in, auto& value) { return in.character(value); }
};
struct integer {
    static bool write(auto& out, const auto& value) { return out.integer(value); }
    static bool read(auto& in, auto& value) { return in.integer(value); }
};
/// An integer that is written as text.
struct wide_integer : integer {
    static bool write(auto& out, const auto& value) { return out.wide_integer(value); }
};
struct real {
    static bool write(auto& out, const auto& value) { return out.real(value); }
    static bool read(auto& in, auto& value) { return in.real(value); }
};
/// UUIDs and decimals.
struct quoted {
    static bool write(auto& out, const auto& value) { return out.quoted(value); }
    static bool read(auto& in, auto& value) { return in.quoted(value); }
};
struct text {
    /// The JSON of an empty value.
    static constexpr std::string_view empty(const policy&) { return "\"\""; }
    static bool write(auto& out, const auto& value) { return out.text(value); }
    static bool read(auto& in, auto& value) { return in.text(value); }
};
struct latin1 {
    static constexpr std::string_view empty(const policy&) { return "\"\""; }
    static bool write(auto& out, const auto& value) { return out.latin1(value); }
    static bool read(auto& in, auto& value) { return in.latin1(value); }
};
struct bytes {
    static constexpr std::string_view empty(const policy& form) { return form.byte_arrays ? "[]" : "\"\""; }
    static bool write(auto& out, const auto& value) { return out.bytes(value); }
    static bool read(auto& in, auto& value) { return in.bytes(value); }
};
struct base64 {
    static bool write(auto& out, const auto& value) { return out.base64(value); }
    static bool read(auto& in, auto& value) { return in.base64(value); }
};
struct hex {
    static bool write(auto& out, const auto& value) { return out.hex(value); }
    static bool read(auto& in, auto& value) { return in.hex(value); }
};
struct nothing {
    static bool write(auto& out, const auto& value) { return out.nothing(value); }
    static bool read(auto& in, auto& value) { return in.nothing(value); }
};
struct open_value {
    static bool write(auto& out, const auto& value) { return out.open_value(value); }
    static bool read(auto& in, auto& value) { return in.open_value(value); }
};

/// A record or union, by the functions that are generated for it.
struct record {
    static constexpr std::string_view empty(const policy&) { return "{}"; }
    static bool write(auto& out, const auto& value) { return write_json(out, value); }
    static bool read(auto& in, auto& value) { return read_json(in, value); }
};

/// An enum whose names in JSON are those of its schema.
template <const auto& Names>
struct enumeration {
    static bool write(auto& out, const auto& value) { return out.enumeration(value, name_of(value)); }
    static bool read(auto& in, auto& value) { return in.enumeration(value, Names); }
};
/// An enum whose names in JSON are others.
template <const auto& Names>
struct renamed : enumeration<Names> {
    static bool write(auto& out, const auto& value) { return out.enumeration(value, name_in(Names, value)); }
};
/// Flags, with the names of all values, and of those of one bit.
template <const auto& Names, const auto& Bits>
struct flags {
    static bool write(auto& out, const auto& value) { return out.flags(value, Bits); }
    static bool read(auto& in, auto& value) { return in.flags(value, Names); }
};

template <class Kind>
struct optional {
    static bool write(auto& out, const auto& value) {
        return out.optional(value, [&](const auto& held) { return Kind::write(out, held); });
    }
    static bool read(auto& in, auto& value) {
        return in.optional(value, [&](auto& held) { return Kind::read(in, held); });
    }
};

/// Lists, sets and arrays.
template <class Kind>
struct row {
    static bool write(auto& out, const auto& values) {
        return out.list(values, [&](const auto& item) { return Kind::write(out, item); });
    }
};
template <class Kind>
struct list : row<Kind> {
    static constexpr std::string_view empty(const policy&) { return "[]"; }
    static bool read(auto& in, auto& values) {
        return in.list(values, [&](auto& item) { return Kind::read(in, item); });
    }
};
template <class Kind>
struct set : row<Kind> {
    static bool read(auto& in, auto& values) {
        return in.set(values, [&](auto& item) { return Kind::read(in, item); });
    }
};
template <class Kind>
struct array : row<Kind> {
    static bool read(auto& in, auto& values) {
        return in.array(values, [&](auto& item) { return Kind::read(in, item); });
    }
};

/// An optional value whose null is written as an empty one.
template <class Kind>
struct or_empty : optional<Kind> {
    static bool write(auto& out, const auto& value) {
        if (value.has_value()) {
            return Kind::write(out, *value);
        }
        out.raw(Kind::empty(out.form));
        return true;
    }
};

// ---- keys of maps that have text --------------------------------------------------------------------------------

struct text_key : text {
    static bool parse(auto& in, std::string_view given, auto& key, std::size_t at) { return in.text_key(given, key, at); }
};
struct latin1_key : text {
    static bool parse(auto& in, std::string_view given, auto& key, std::size_t at) { return in.latin1_key(given, key, at); }
};
struct boolean_key : boolean {
    static bool parse(auto& in, std::string_view given, auto& key, std::size_t at) { return in.boolean_key(given, key, at); }
};
struct quoted_key : quoted {
    static bool parse(auto& in, std::string_view given, auto& key, std::size_t at) { return in.quoted_key(given, key, at); }
};
struct integer_key : integer {
    static bool parse(auto& in, std::string_view given, auto& key, std::size_t at) { return in.integer_key(given, key, at); }
};
struct character_key : integer_key {
    static bool write(auto& out, const auto& key) { return out.character(key); }
};

/// A map as an object.
template <class Key, class Kind>
struct map {
    static bool write(auto& out, const auto& entries) {
        return out.map(entries, [&](const auto& key) { return Key::write(out, key); },
                       [&](const auto& value) { return Kind::write(out, value); });
    }
    static bool read(auto& in, auto& entries) {
        return in.map(entries,
                      [&](std::string_view given, auto& key, std::size_t at) { return Key::parse(in, given, key, at); },
                      [&](auto& value) { return Kind::read(in, value); });
    }
};
/// A map as a list of pairs.
template <class Key, class Kind>
struct pairs {
    static bool write(auto& out, const auto& entries) {
        return out.pairs(entries, [&](const auto& key) { return Key::write(out, key); },
                         [&](const auto& value) { return Kind::write(out, value); });
    }
    static bool read(auto& in, auto& entries) {
        return in.pairs(entries, [&](auto& key) { return Key::read(in, key); },
                        [&](auto& value) { return Kind::read(in, value); });
    }
};

// ---- fields -----------------------------------------------------------------------------------------------------

/// A field that is never null and may be given as one.
template <class Kind>
struct never_null : Kind {
    static bool read(auto& in, auto& value) {
        if (in.null()) {
            value.clear();
            return true;
        }
        return Kind::read(in, value);
    }
};

/// A field of type `T` that is what the schema says, also where it is given; it may be null where `Nullable`.
template <class Kind, class T, bool Nullable>
struct constant : Kind {
    static bool read(auto& in, const auto& fixed) {
        T given{};
        return (Nullable && in.null()) || (Kind::read(in, given) && in.agrees(given, fixed));
    }
};

/// A field that is not shown to people.
template <class Kind>
struct hidden {
    static bool write(auto& out, const auto& value) {
        if (out.form.printing) {
            out.raw("\"***\"");
            return true;
        }
        return Kind::write(out, value);
    }
    static bool read(auto& in, auto& value) { return Kind::read(in, value) || in.hide(); }
};

}  // namespace as

/// A member of a record as it is written: its name in JSON with what is in front of it, `,"price":`, the field's own name, and
/// what writes the value at a place.
template <policy P>
struct written_member {
    std::string_view key;
    std::string_view field;
    bool (*write)(writer<P>& out, const void* place);
};

/// Writes values of type `T`, of that kind.
template <class Kind, class T, policy P>
bool write_as(writer<P>& out, const void* place) {
    return Kind::write(out, *static_cast<const T*>(place));
}

/// A member as it is read: its name in JSON, the field's own name, what reads a value to a place, and what gives that place its
/// value where the member is not there; null where it must be.
template <policy P>
struct read_member {
    std::string_view key;
    std::string_view field;
    bool (*read)(reader<P>& in, void* place);
    void (*absent)(void* place);
};

/// Reads values of type `T`, of that kind.
template <class Kind, class T, policy P>
bool read_as(reader<P>& in, void* place) {
    return Kind::read(in, *static_cast<T*>(place));
}

/// Makes a value null, empty or zero.
template <class T>
void emptied(void* place) {
    T& value = *static_cast<T*>(place);
    if constexpr (requires { value.clear(); }) {
        value.clear();
    } else if constexpr (requires { value.reset(); }) {
        value.reset();
    } else {
        value = T{};
    }
}
/// Lets a value be what it is: a constant, or one that gets its default later.
inline void kept(void*) noexcept {}

/// Whether `read_members` found the member of that number.
[[nodiscard]] inline bool is_seen(std::span<const std::uint64_t> seen, std::size_t index) noexcept {
    return (seen[index / 64] >> index % 64 & 1) != 0;
}

}  // namespace aldis::json
