// Reading messages of segments: values behind pointers, in every encoding that older and newer writers may have chosen.
// (Cap'n Proto encoding specification, "Structs", "Lists", "Pointers".)
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "../reader.hpp"
#include "../values.hpp"
#include "copy.hpp"

namespace aldis {

/// A value whose type the schema leaves open: a message of one segment without a table, whose root it is. Decoders and
/// encoders of that form read and make it.
struct any_pointer {
    std::vector<std::byte> message;

    bool operator==(const any_pointer&) const = default;
};

namespace segments {

/// Reads what pointers lead to. What can fail gives whether it did not, and notes the fault. A value that may be null is
/// given as an optional or a box, whose memory is used again.
class reader : public arena {
public:
    using arena::arena;

    /// Elements as they lie in the bytes.
    struct elements {
        const std::byte* start;
        const segment* in;
        std::size_t count;
        /// Bits from one element to the next.
        std::size_t stride;
        /// Bits of data in each, then pointers in each.
        std::uint32_t data;
        std::uint32_t pointers;
        bool records;

        [[nodiscard]] const std::byte* at(std::size_t index) const noexcept { return start + index * stride / 8; }
        [[nodiscard]] body record(std::size_t index) const noexcept {
            const std::byte* const from = at(index);
            return {from, from + data / 8, in, data / 8, pointers};
        }
    };

    /// Text: bytes with a zero behind them.
    template <class Maybe>
    [[nodiscard]] bool text(place from, Maybe& value) {
        const word says = load_word(from.at);
        if (says.is_null()) {
            value.reset();
            return true;
        }
        std::size_t size = says.count();
        const std::byte* start = near_bytes(says, from);
        if (start == nullptr && !bytes_of(from, start, size)) [[unlikely]] {
            return false;
        }
        if (size == 0 || start[size - 1] != std::byte{0}) [[unlikely]] {
            return fail(code::bad_value, from.at);
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
        std::size_t size = says.count();
        const std::byte* start = near_bytes(says, from);
        if (start == nullptr && !bytes_of(from, start, size)) [[unlikely]] {
            return false;
        }
        present(value).assign(start, start + size);
        return true;
    }

    /// A record; `read` gets its sections.
    template <class Maybe, class Read>
    [[nodiscard]] bool record(place from, Maybe& value, Read read) {
        if (load_word(from.at).is_null()) {
            value.reset();
            return true;
        }
        body sections{};
        if (!open_record(from, sections)) {
            return false;
        }
        if constexpr (std::is_same_v<Maybe, box<std::remove_cvref_t<decltype(*value)>>>) {
            if (!value.has_value() && !take_memory(sizeof(*value), from.at)) {
                return false;
            }
        }
        if (!read(*this, sections, present(value))) {
            return false;
        }
        leave();
        return true;
    }

    /// The sections of the record that a pointer leads to, one level down.
    [[nodiscard]] bool open_record(place from, body& sections) {
        target to{};
        if (!follow(from, to)) {
            return false;
        }
        if (to.says.kind() != kind::record) [[unlikely]] {
            return fail(code::bad_value, from.at);
        }
        const std::uint64_t size = std::uint64_t{to.says.data() + to.says.pointers()} * word_size;
        if (!enter(from.at)) {
            return false;
        }
        const std::byte* const start = find(to, size, from.at);
        if (start == nullptr || !charge(size, from.at)) {
            return false;
        }
        const std::uint32_t data_size = to.says.data() * static_cast<std::uint32_t>(word_size);
        sections = {start, start + data_size, to.in, data_size, to.says.pointers()};
        return true;
    }

    /// A list of records.
    template <class Maybe, class Read>
    [[nodiscard]] bool records(place from, Maybe& values, Read read) {
        if (load_word(from.at).is_null()) {
            values.reset();
            return true;
        }
        elements found{};
        if (!list(from, found)) {
            return false;
        }
        if (found.stride == 1) {
            return fail(code::bad_value, from.at);
        }
        auto& list = present(values);
        if (!make_room(list, found.count, from.at)) {
            return false;
        }
        if (found.count > 0 && !enter(found.start)) {
            return in_element(0);
        }
        for (std::size_t index = 0; index < found.count; ++index) {
            if (!read(*this, found.record(index), aldis::element(list, index, found.count))) {
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
    template <class T>
    [[nodiscard]] bool numbers(place from, std::optional<std::vector<T>>& values) {
        if (load_word(from.at).is_null()) {
            values.reset();
            return true;
        }
        elements found{};
        if (!list(from, found)) {
            return false;
        }
        if (found.data < sizeof(T) * 8) {
            return fail(code::bad_value, from.at);
        }
        // Short elements take more memory than bytes, in some languages many times more: budgets are the same in all.
        if (sizeof(T) < word_size && !charge(found.count * (word_size - sizeof(T)), from.at)) {
            return false;
        }
        std::vector<T>& list = present(values);
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

    [[nodiscard]] bool bits(place from, std::optional<std::vector<bool>>& values) {
        if (load_word(from.at).is_null()) {
            values.reset();
            return true;
        }
        elements found{};
        if (!list(from, found)) {
            return false;
        }
        if (found.stride != 1 || found.records) {
            return fail(code::bad_value, from.at);
        }
        if (!charge((found.count + 7) / 8 * 7, from.at)) {
            return false;
        }
        std::vector<bool>& list = present(values);
        list.resize(found.count);
        for (std::size_t index = 0; index < found.count; ++index) {
            list[index] = (static_cast<unsigned>(found.start[index / 8]) >> index % 8 & 1U) != 0;
        }
        leave();
        return true;
    }

    /// A list of values that take no bytes.
    [[nodiscard]] bool voids(place from, std::optional<std::vector<std::monostate>>& values) {
        if (load_word(from.at).is_null()) {
            values.reset();
            return true;
        }
        elements found{};
        if (!list(from, found)) {
            return false;
        }
        // They are charged the same in whatever encoding they come.
        if (found.stride > 0 && found.stride < 64 && !charge(found.count * (word_size - found.stride / 8), from.at)) {
            return false;
        }
        present(values).resize(found.count);
        leave();
        return true;
    }

    /// A list of values behind pointers of their own, each of which `read` reads.
    template <class T, class Read>
    [[nodiscard]] bool pointers(place from, std::optional<std::vector<T>>& values, Read read) {
        if (load_word(from.at).is_null()) {
            values.reset();
            return true;
        }
        elements found{};
        if (!list(from, found)) {
            return false;
        }
        if (found.pointers == 0) {
            return fail(code::bad_value, from.at);
        }
        std::vector<T>& list = present(values);
        for (std::size_t index = 0; index < found.count; ++index) {
            if (!read(place{found.at(index) + found.data / 8, found.in}, aldis::element(list, index, found.count))) {
                return in_element(index);
            }
        }
        list.resize(found.count);
        leave();
        return true;
    }

    /// Whatever a pointer leads to, with all that it leads to in turn.
    template <class Maybe>
    [[nodiscard]] bool any(place from, Maybe& value) {
        if (load_word(from.at).is_null()) {
            value.reset();
            return true;
        }
        std::vector<std::byte>& message = present(value).message;
        message.assign(word_size, std::byte{0});
        return copier(*this, false, message).pointer(from, 0);
    }

private:
    /// Makes room for a list's records at once, where there may be so much.
    template <class List>
    [[nodiscard]] bool make_room(List& list, std::size_t count, const std::byte* at) {
        if (count > list.capacity()) {
            if (!take_memory(count * sizeof(typename List::value_type), at)) {
                return false;
            }
            list.reserve(count);
        }
        return true;
    }

    /// Text or data as most are: in the pointer's own segment. Null where it is anything else, and nothing is charged.
    [[nodiscard, gnu::always_inline]] const std::byte* near_bytes(word says, place from) noexcept {
        constexpr std::uint64_t kinds = 3 | std::uint64_t{7} << 32;
        constexpr std::uint64_t list_of_bytes = 1 | std::uint64_t{2} << 32;
        const std::uint64_t whole = words_for(says.count()) * word_size;
        const auto at = static_cast<std::uint64_t>(from.at - from.in->begin + 8 + says.offset());
        const bool usual = (says.bits & kinds) == list_of_bytes && at <= from.in->size && whole <= from.in->size - at;
        return usual && pay(whole) ? from.in->begin + at : nullptr;
    }

    /// Text or data wherever they are.
    [[gnu::noinline]] bool bytes_of(place from, const std::byte*& start, std::size_t& size) {
        target to{};
        if (!follow(from, to)) {
            return false;
        }
        if (to.says.kind() != kind::list || to.says.element_size() != element_size::byte) [[unlikely]] {
            return fail(code::bad_value, from.at);
        }
        size = to.says.count();
        const std::uint64_t whole = words_for(size) * word_size;
        start = find(to, whole, from.at);
        return start != nullptr && charge(whole, from.at);
    }

    /// Finds the elements of a list, one level down.
    [[nodiscard]] bool list(place from, elements& found) {
        target to{};
        if (!follow(from, to)) {
            return false;
        }
        if (to.says.kind() != kind::list) [[unlikely]] {
            return fail(code::bad_value, from.at);
        }
        if (!enter(from.at)) {
            return false;
        }
        return to.says.element_size() == element_size::record ? records_of(to, from.at, found)
                                                              : plain_of(to, from.at, found);
    }

    /// What each pointer in a list's elements is charged beside its word: a text that many lead to is many values.
    static constexpr std::uint64_t link_cost = 24;

    [[nodiscard]] bool records_of(const target& to, const std::byte* at, elements& found) {
        const std::uint64_t size = (std::uint64_t{to.says.count()} + 1) * word_size;
        const std::byte* const start = find(to, size, at);
        if (start == nullptr || !charge(size, at)) {
            return false;
        }
        const word tag = load_word(start);
        if (!check_tag(tag, to.says.count(), start)) {
            return false;
        }
        const std::size_t stride = tag.data() + tag.pointers();
        const std::uint64_t each = stride == 0 ? word_size : tag.pointers() * link_cost;
        if (!charge(tag.elements() * each, at)) {
            return false;
        }
        found = {start + word_size, to.in, tag.elements(), stride * 64, tag.data() * 64, tag.pointers(), true};
        return true;
    }

    [[nodiscard]] bool plain_of(const target& to, const std::byte* at, elements& found) {
        const element_size size = to.says.element_size();
        const std::uint64_t count = to.says.count();
        const std::uint64_t bits = bits_of(size);
        const std::uint64_t whole = (bits * count + 63) / 64 * word_size;
        const std::byte* const start = find(to, whole, at);
        if (start == nullptr || !charge(whole, at)) {
            return false;
        }
        const bool behind = size == element_size::pointer;
        if (!charge(count * (size == element_size::none ? word_size : behind ? link_cost : 0), at)) {
            return false;
        }
        const std::uint32_t data = behind ? 0 : static_cast<std::uint32_t>(bits);
        found = {start, to.in, static_cast<std::size_t>(count), static_cast<std::size_t>(bits), data, behind ? 1U : 0U, false};
        return true;
    }
};

}  // namespace segments

}  // namespace aldis
