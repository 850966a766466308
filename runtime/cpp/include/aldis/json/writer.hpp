// Values as JSON text: compact, members in the schema's order.
#pragma once

#include <array>
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
#include "kinds.hpp"
#include "sink.hpp"

namespace aldis::json {

/// Appends JSON to a string, which has all of it when the writer is gone, or has finished. A function that can fail returns
/// whether it succeeded, and notes the fault.
template <policy P>
class writer : public answering_trace {
public:
    explicit writer(std::string& out) noexcept : out_(out) {}

    static constexpr policy form = P;

    void finish() noexcept { out_.finish(); }

    [[gnu::cold, gnu::noinline]] bool fail(code what) {
        note(what, error::nowhere);
        return false;
    }

    /// Text as it is: brackets, and the names of members.
    void raw(std::string_view text) { out_.put(text); }

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
        out_.put('{');
        return scope(*this, {}, "}");
    }
    /// The members to come have this in front of their names.
    [[nodiscard]] scope flattened(std::string_view prefix) { return scope(*this, prefix_ + std::string(prefix), {}); }

    /// An object of all members, whose values are at these places; a place that is null is one's that is.
    [[gnu::noinline]] bool write_members(std::span<const written_member<P>> all, const void* const* place) {
        for (const written_member<P>& member : all) {
            out_.put_short(member.key);
            if (!(*place == nullptr ? null() : member.write(*this, *place))) {
                return in_field(member.field);
            }
            ++place;
        }
        out_.put('}');
        return true;
    }

    /// The name of a member: `"name":`.
    void member(std::string_view name) {
        if (out_.back() != '{') {
            out_.put(',');
        }
        if (prefix_.empty()) {
            out_.put(name);
            return;
        }
        detail::put_string(out_, prefix_);
        out_.drop();
        out_.put(name.substr(1));
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
        out_.put("null");
        return true;
    }

    bool boolean(bool value) {
        out_.put(std::string_view(value ? "true" : "false"));
        return true;
    }

    /// A number, or the number of an enum.
    template <class T>
    bool integer(T value) {
        if constexpr (std::is_enum_v<T>) {
            return integer(static_cast<std::underlying_type_t<T>>(value));
        } else {
            put_integer(value);
            return true;
        }
    }

    /// An integer of 64 bits, where the form's JSON has such as text.
    template <class T>
    bool wide_integer(T value) {
        out_.put('"');
        put_integer(value);
        out_.put('"');
        return true;
    }

    template <class Float>
    bool real(Float value) {
        if (!std::isfinite(value)) [[unlikely]] {
            if (!P.non_finite && !P.printing) {
                return fail(code::bad_value);
            }
            out_.put(std::isnan(value) ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
            return true;
        }
        detail::put_float(out_, value);
        return true;
    }

    bool character(char value) { return latin1({&value, 1}); }

    [[gnu::noinline]] bool text(std::string_view value) {
        return detail::put_plain(out_, value) || detail::put_text(out_, value, P.printing) || fail(code::bad_text);
    }

    /// Text in which a byte is a character.
    bool latin1(std::string_view value) {
        detail::put_string<true>(out_, value);
        return true;
    }

    bool bytes(std::span<const std::byte> value) {
        if constexpr (!P.byte_arrays) {
            return base64(value);
        }
        return list(value, [this](std::byte byte) { return integer(static_cast<unsigned>(byte)); });
    }
    bool base64(std::span<const std::byte> value) {
        out_.put('"');
        out_.to(detail::put_base64(out_.room(detail::base64_size(value.size())), value));
        out_.put('"');
        return true;
    }
    bool hex(std::span<const std::byte> value) {
        constexpr char digits[] = "0123456789abcdef";
        out_.put('"');
        for (const std::byte byte : value) {
            out_.put(digits[static_cast<unsigned>(byte) >> 4]);
            out_.put(digits[static_cast<unsigned>(byte) & 15]);
        }
        out_.put('"');
        return true;
    }

    template <class T>
        requires(std::is_same_v<T, uuid> || std::is_same_v<T, decimal>)
    bool quoted(const T& value) {
        char text[aldis::detail::longest_text];
        char* const end = text + sizeof text;
        const char* const start = aldis::detail::text_before(end, value);
        out_.put('"');
        out_.put(std::string_view(start, static_cast<std::size_t>(end - start)));
        out_.put('"');
        return true;
    }

    /// An enum by name, or by number where it has none.
    template <class T>
    bool enumeration(T value, std::string_view name) {
        if (!P.names || name.empty()) {
            return integer(value);
        }
        detail::put_name(out_, name);
        return true;
    }

    /// Flags by the names of their single bits, what has no name as a number behind them.
    template <class T>
    [[gnu::noinline]] bool flags(T value, std::span<const named<std::type_identity_t<T>>> bits) {
        if constexpr (!P.names) {
            return integer(value);
        }
        detail::put_flags(out_, static_cast<std::make_unsigned_t<std::underlying_type_t<T>>>(value), name_table(bits));
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
        out_.put('[');
        std::size_t index = 0;
        for (const auto& value : values) {
            if (index > 0) {
                out_.put(',');
            }
            if (!write(value)) {
                return in_element(index);
            }
            ++index;
        }
        out_.put(']');
        return true;
    }

    /// A map whose keys have text, as an object.
    template <class Map, class WriteKey, class Write>
    bool map(const Map& entries, WriteKey write_key, Write write) {
        out_.put('{');
        std::size_t index = 0;
        for (const auto& [key, value] : entries) {
            if (index > 0) {
                out_.put(',');
            }
            const std::size_t from = out_.size();
            if (!write_key(key)) {
                return in_element(index);
            }
            if (out_.at(from) != '"') {
                out_.insert(from, '"');
                out_.put('"');
            }
            out_.put(':');
            if (!write(value)) {
                return in_element(index);
            }
            ++index;
        }
        out_.put('}');
        return true;
    }

    /// A map whose keys have none, as an array of pairs.
    template <class Map, class WriteKey, class Write>
    bool pairs(const Map& entries, WriteKey write_key, Write write) {
        return list(entries, [&](const auto& entry) {
            out_.put('[');
            if (!write_key(entry.first)) {
                return false;
            }
            out_.put(',');
            if (!write(entry.second)) {
                return false;
            }
            out_.put(']');
            return true;
        });
    }

private:
    template <class T>
    void put_integer(T value) {
        const bool negative = value < T{};
        const auto bits = static_cast<std::uint64_t>(value);
        detail::put_integer(out_, negative, negative ? 0 - bits : bits);
    }

    sink out_;
    /// Goes before the names of members.
    std::string prefix_;
};

}  // namespace aldis::json
