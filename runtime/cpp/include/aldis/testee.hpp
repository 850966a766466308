// The testee protocol: requests on standard input, answers on standard output, a line each.
#pragma once

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bytes.hpp"
#include "choice.hpp"
#include "draft.hpp"
#include "result.hpp"
#include "values.hpp"
#include "writer.hpp"

namespace aldis::testee {

using bytes = std::vector<std::byte>;
using convert_function = result<bytes> (*)(std::string_view from, std::string_view to, std::span<const std::byte> in);
using identify_function = result<std::string> (*)(std::span<const std::byte> in);

/// The bytes that an encoder gave, copied.
inline result<bytes> written(const result<std::span<const std::byte>>& made, const buffer&) {
    if (!made) {
        return made.error();
    }
    return bytes(made->begin(), made->end());
}
inline result<bytes> written(const result<std::string>& made) {
    if (!made) {
        return made.error();
    }
    const bytes_view text = bytes_of(*made);
    return bytes(text.begin(), text.end());
}

inline std::string to_hex(std::span<const std::byte> in) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    text.reserve(in.size() * 2);
    for (const std::byte byte : in) {
        text += digits[static_cast<unsigned>(byte) >> 4];
        text += digits[static_cast<unsigned>(byte) & 15];
    }
    return text;
}

inline std::optional<bytes> from_hex(std::string_view text) {
    if (text.size() % 2 != 0) {
        return std::nullopt;
    }
    bytes out;
    out.reserve(text.size() / 2);
    for (std::size_t at = 0; at < text.size(); at += 2) {
        const int high = detail::hex_digit(text[at]);
        const int low = detail::hex_digit(text[at + 1]);
        if (high < 0 || low < 0) {
            return std::nullopt;
        }
        out.push_back(static_cast<std::byte>(high * 16 + low));
    }
    return out;
}

// ---- views and values -------------------------------------------------------------------------------------------

template <class View, class Value>
bool same(const View& view, const Value& value);

namespace detail {

template <class T>
concept maybe = requires(const T& value) {
    value.has_value();
    *value;
};
template <class T>
concept keyed = requires { typename T::key_compare; };
template <class T>
concept optional_range = requires(const T& values) {
    values.has_value();
    values.begin();
};
template <class T>
concept one_of_arms = requires(const T& value) { value.which(); };
template <class T>
concept range = requires(const T& values) {
    values.begin();
    values.end();
};

template <class View, class Key, class Value>
bool same_element(const View& view, const std::pair<const Key, Value>& entry) {
    return same(view.first, entry.first) && same(view.second, entry.second);
}
template <class View, class Value>
bool same_element(const View& view, const Value& value) {
    return same(view, value);
}

/// Whether all that a set or map holds is in the range that it was made from, which may hold things twice.
template <class Range, class Keyed>
bool holds_all(const Range& range, const Keyed& values) {
    auto at = range.begin();
    for (const auto& value : values) {
        // Mostly both are in the same order.
        std::size_t left = range.size();
        for (; left > 0; --left, ++at) {
            if (at == range.end()) {
                at = range.begin();
            }
            if (same_element(*at, value)) {
                break;
            }
        }
        if (left == 0) {
            return false;
        }
    }
    return values.size() <= range.size() && values.empty() == range.empty();
}

/// Whether a view of a union gives what a choice holds.
template <class View, template <class, class...> class Choice, class Tag, class... Arms>
bool same_arm(const View& view, const Choice<Tag, Arms...>& value) {
    const auto differs = [&view, &value]<class Arm>(Arm) {
        const auto* const held = value.template get<Arm::tag>();
        const auto seen = view.template get<Arm::tag>();
        return seen.has_value() != (held != nullptr) || (held != nullptr && !same(*seen, *held));
    };
    return view.which() == value.which() && !(differs(Arms{}) || ...);
}

template <class Range, class Values>
bool same_in_order(const Range& range, const Values& values) {
    if (range.size() != values.size()) {
        return false;
    }
    auto at = range.begin();
    for (const auto& value : values) {
        if (!same(*at, static_cast<const typename Values::value_type&>(value))) {
            return false;
        }
        ++at;
    }
    return true;
}

}  // namespace detail

/// Whether a view gives what a value holds. Generated code has it for each record.
template <class View, class Value>
bool same(const View& view, const Value& value) {
    if constexpr (std::is_floating_point_v<View>) {
        return view == value || (std::isnan(view) && std::isnan(value));
    } else if constexpr (detail::one_of_arms<Value>) {
        return detail::same_arm(view, value);
    } else if constexpr (detail::optional_range<View>) {
        return view.has_value() == value.has_value() && (!view.has_value() || detail::same_in_order(view, *value));
    } else if constexpr (detail::maybe<View>) {
        return view.has_value() == value.has_value() && (!view.has_value() || same(*view, *value));
    } else if constexpr (detail::keyed<Value>) {
        return detail::holds_all(view, value);
    } else if constexpr (std::is_same_v<View, std::string_view>) {
        return view == std::string_view(value);
    } else if constexpr (detail::range<View>) {
        return detail::same_in_order(view, value);
    } else {
        return view == value;
    }
}

/// The error to answer with when decoding and verifying the same bytes have different results. Decoding may refuse
/// values that would take more memory than bytes may ask for; views take none.
template <class Value, class View>
std::optional<error> disagreement(const result<std::size_t>& read, const Value& value, const result<View>& view) {
    if (!read && read.error().what == code::too_large) {
        return std::nullopt;
    }
    if (read.ok() != view.ok()) {
        return view.ok() ? error{code::no_room, error::nowhere, "verify takes what decode refuses"} : view.error();
    }
    if (!read) {
        return read.error() == view.error() ? std::nullopt : std::optional(view.error());
    }
    if (!same(*view, value)) {
        return error{code::no_room, error::nowhere, "the view differs from the value"};
    }
    return std::nullopt;
}

/// The error to answer with when a writer, which `again` makes write the same value, gives other bytes.
template <class Draft, class Write>
std::optional<error> disagreement(const result<std::span<const std::byte>>& made, const Write& again) {
    if (!made) {
        return std::nullopt;
    }
    std::vector<std::byte> room(made->size());
    Draft written(room);
    again(written);
    const auto other = written.finish();
    if (!other) {
        return error{code::no_room, error::nowhere, "the writer fails: " + to_string(other.error())};
    }
    if (!std::equal(other->begin(), other->end(), made->begin(), made->end())) {
        return error{code::no_room, error::nowhere, "the writer writes other bytes"};
    }
    return std::nullopt;
}

/// The codecs of one schema.
class program {
public:
    void add_form(std::string_view name, identify_function identify) { forms_.push_back({std::string(name), identify}); }

    void add_message(std::string_view name, std::string_view id, bool listed, convert_function codec) {
        messages_.emplace(name, codec);
        if (listed) {
            list_ += std::string(name) + ' ' + std::string(id) + '\n';
        }
    }

    /// The forms of messages, and the messages that the bytes may be said to be, in the order of their names.
    [[nodiscard]] std::vector<std::string> forms() const {
        std::vector<std::string> names;
        for (const form& one : forms_) {
            names.push_back(one.name);
        }
        return names;
    }
    [[nodiscard]] std::vector<std::string> messages() const {
        std::vector<std::string> names;
        for (const auto& [name, convert] : messages_) {
            names.push_back(name);
        }
        return names;
    }

    /// The message that bytes in a form are.
    [[nodiscard]] result<std::string> identified(std::string_view from, std::span<const std::byte> in) const {
        const form* const source = find(from);
        const bool can = source != nullptr && source->identify != nullptr;
        return can ? source->identify(in) : result<std::string>(error{code::unknown_message, error::nowhere, {}});
    }

    /// A message from one form (or `json`) to another.
    [[nodiscard]] result<bytes> convert(const std::string& message, std::string_view from, std::string_view to,
                                        std::span<const std::byte> in) const {
        const auto entry = messages_.find(message);
        return entry != messages_.end() ? entry->second(from, to, in)
                                        : result<bytes>(error{code::unknown_message, error::nowhere, {}});
    }

    /// Answers until the input ends.
    int run() {
        std::ios::sync_with_stdio(false);
        std::string line;
        while (std::getline(std::cin, line)) {
            std::cout << answer(line) << std::endl;
        }
        return 0;
    }

    /// The answer to a request, both without their line end.
    [[nodiscard]] std::string answer(std::string_view line) const {
        const std::vector<std::string_view> parts = split(line);
        const std::string id(parts[0]);
        if (parts.size() == 2 && parts[1] == "list") {
            return id + "\tok\t" + to_hex(std::as_bytes(std::span(list_.data(), list_.size())));
        }
        const bool known = parts.size() == 6 && (parts[1] == "convert" || parts[1] == "view");
        const std::optional<bytes> in = known ? from_hex(parts[5]) : std::nullopt;
        if (!in) {
            return "-\terror\tbad-request\t-\texpected ID list, or ID convert|view MESSAGE FROM TO HEX, between TABs";
        }
        return id + '\t' + converted(parts[2], parts[3], parts[4], *in);
    }

private:
    struct form {
        std::string name;
        identify_function identify;
    };

    [[nodiscard]] std::string converted(std::string_view message, std::string_view from, std::string_view to,
                                        const bytes& in) const {
        for (const std::string_view name : {from, to}) {
            if (name != "json" && find(name) == nullptr) {
                return "unsupported\tthis schema has no form " + std::string(name);
            }
        }
        std::string found(message);
        if (message == "-") {
            if (from == "json") {
                return "unsupported\tJSON does not say which message it is";
            }
            const result<std::string> named = identified(from, in);
            if (!named) {
                return fault(named.error());
            }
            found = *named;
        }
        const result<bytes> out = convert(found, from, to, in);
        return out ? "ok\t" + to_hex(*out) : fault(out.error());
    }

    static std::string fault(const error& what) {
        const std::string offset = what.offset == error::nowhere ? "-" : std::to_string(what.offset);
        std::string text = "error\t" + std::string(to_string(what.what)) + '\t' + offset + '\t';
        for (const char c : what.path) {
            text += c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
        }
        return text + (what.path.empty() ? "" : ": ") + std::string(to_string(what.what));
    }

    [[nodiscard]] const form* find(std::string_view name) const {
        for (const form& one : forms_) {
            if (one.name == name) {
                return &one;
            }
        }
        return nullptr;
    }

    static std::vector<std::string_view> split(std::string_view line) {
        std::vector<std::string_view> parts;
        for (;;) {
            const std::size_t tab = line.find('\t');
            parts.push_back(line.substr(0, tab));
            if (tab == std::string_view::npos) {
                return parts;
            }
            line.remove_prefix(tab + 1);
        }
    }

    std::vector<form> forms_;
    std::map<std::string, convert_function> messages_;
    std::string list_;
};

}  // namespace aldis::testee
