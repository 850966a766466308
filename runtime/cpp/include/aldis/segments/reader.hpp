// Reading messages of segments: values behind pointers.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "../reader.hpp"
#include "../values.hpp"
#include "copy.hpp"
#include "finder.hpp"

namespace aldis {

/// A value whose type the schema leaves open: a message of one segment without a table, whose root it is. Decoders and
/// encoders of that form read and make it.
struct any_pointer {
    std::vector<std::byte> message;

    bool operator==(const any_pointer&) const = default;
};

namespace segments {

/// Reads what pointers lead to. A function that can fail returns whether it succeeded, and notes the fault.
/// A value that may be null is given as an optional or a box, whose memory is used again.
class reader : public finder {
public:
    using finder::finder;

    /// Text: bytes with a zero behind them.
    template <class Maybe>
    [[nodiscard]] bool text(place from, Maybe& value) {
        const word says = load_word(from.at);
        if (says.is_null()) {
            value.reset();
            return true;
        }
        std::size_t size = 0;
        const std::byte* start = nullptr;
        if (!find_text(says, from, start, size)) [[unlikely]] {
            return false;
        }
        present(value).assign(reinterpret_cast<const char*>(start), size - 1);
        return true;
    }

    /// Text that must be UTF-8.
    template <class Maybe>
    [[nodiscard]] bool utf8(place from, Maybe& value) {
        const word says = load_word(from.at);
        if (says.is_null()) {
            value.reset();
            return true;
        }
        std::size_t size = 0;
        const std::byte* start = nullptr;
        if (!find_utf8(says, from, start, size)) [[unlikely]] {
            return false;
        }
        present(value).assign(reinterpret_cast<const char*>(start), size - 1);
        return true;
    }

    template <class Maybe>
    [[nodiscard]] bool data(place from, Maybe& value) {
        const word says = load_word(from.at);
        if (says.is_null()) {
            value.reset();
            return true;
        }
        std::size_t size = 0;
        const std::byte* start = nullptr;
        if (!find_data(says, from, start, size)) [[unlikely]] {
            return false;
        }
        present(value).assign(start, start + size);
        return true;
    }

    /// A record; `read` gets its sections.
    template <class Maybe, class Read>
    [[nodiscard]] bool record(place from, Maybe& value, Read read, const auto& lacks) {
        if (is_absent(from, value)) {
            return true;
        }
        body sections{};
        if (!open_record(from, sections, lacks)) {
            return false;
        }
        if (!read(*this, sections, present(value))) {
            return false;
        }
        leave();
        return true;
    }

    /// A list of records.
    template <class Maybe, class Read>
    [[nodiscard]] bool records(place from, Maybe& values, Read read, const auto& lacks) {
        if (is_absent(from, values)) {
            return true;
        }
        elements found{};
        if (!find_records(from, found, lacks)) {
            return false;
        }
        auto& list = present(values);
        list.reserve(found.count);
        if (found.count > 0 && !enter(found.start)) {
            return in_element(0);
        }
        for (std::size_t index = 0; index < found.count; ++index) {
            if (!read(*this, found.record(index), aldis::element(list, index))) {
                return in_element(index);
            }
        }
        if (found.count > 0) {
            leave();
        }
        list.resize(found.count);
        leave();
        return true;
    }

    /// A list of numbers or enums.
    template <class Maybe>
    [[nodiscard]] bool numbers(place from, Maybe& values) {
        using T = typename Maybe::value_type::value_type;
        if (is_absent(from, values)) {
            return true;
        }
        elements found{};
        if (!find_numbers(from, sizeof(T), found)) {
            return false;
        }
        auto& list = present(values);
        list.resize(found.count);
        if (found.stride == sizeof(T) * 8) {
            load_row<little>(found.start, found.count, list.data());
        } else {
            for (std::size_t index = 0; index < found.count; ++index) {
                list[index] = load<T, little>(found.at(index));
            }
        }
        leave();
        return true;
    }

    template <class Maybe>
    [[nodiscard]] bool bits(place from, Maybe& values) {
        if (is_absent(from, values)) {
            return true;
        }
        elements found{};
        if (!find_bits(from, found)) {
            return false;
        }
        auto& list = present(values);
        list.resize(found.count);
        for (std::size_t index = 0; index < found.count; ++index) {
            list[index] = (static_cast<unsigned>(found.start[index / 8]) >> index % 8 & 1U) != 0;
        }
        leave();
        return true;
    }

    /// A list of values that take no bytes.
    template <class Maybe>
    [[nodiscard]] bool voids(place from, Maybe& values) {
        if (is_absent(from, values)) {
            return true;
        }
        elements found{};
        if (!find_voids(from, found)) {
            return false;
        }
        present(values).resize(found.count);
        leave();
        return true;
    }

    /// A list of values behind pointers of their own, each of which `read` reads.
    template <class Maybe, class Read>
    [[nodiscard]] bool pointers(place from, Maybe& values, Read read) {
        if (is_absent(from, values)) {
            return true;
        }
        elements found{};
        if (!find_pointers(from, found)) {
            return false;
        }
        auto& list = present(values);
        list.reserve(found.count);
        for (std::size_t index = 0; index < found.count; ++index) {
            if (!read(found.pointer(index), aldis::element(list, index))) {
                return in_element(index);
            }
        }
        list.resize(found.count);
        leave();
        return true;
    }

    /// The object of unknown type behind a pointer, with all objects that it leads to.
    template <class Maybe>
    [[nodiscard]] bool any(place from, Maybe& value) {
        if (is_absent(from, value)) {
            return true;
        }
        auto& message = present(value).message;
        message.assign(word_size, std::byte{0});
        return copier(static_cast<arena&>(*this), false, appended{message}).pointer(from, 0);
    }

private:
    /// Whether a pointer leads nowhere, which is what the value becomes then.
    template <class Maybe>
    [[nodiscard]] static bool is_absent(place from, Maybe& value) noexcept {
        const bool absent = load_word(from.at).is_null();
        if (absent) {
            value.reset();
        }
        return absent;
    }
};

}  // namespace segments

}  // namespace aldis
