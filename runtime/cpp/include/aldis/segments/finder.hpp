// Finding what pointers lead to, in every encoding that older and newer writers may have chosen, and paying for it. (Cap'n
// Proto encoding specification, "Structs", "Lists", "Pointers".) Readers and verifiers are the same up to here.
#pragma once

#include <string_view>

#include "../utf8.hpp"
#include "arena.hpp"

namespace aldis::segments {

/// Elements of a list as they lie in the bytes.
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
    /// The pointer that an element begins with, or its first one.
    [[nodiscard]] place pointer(std::size_t index) const noexcept { return {at(index) + data / 8, in}; }
};

/// Finds what pointers that are not null lead to. A function that can fail returns whether it succeeded, and
/// notes the fault. Records and lists that were found are one level down, which `leave` ends.
class finder : public arena {
public:
    using arena::arena;

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
    /// The same, and what they lack is paid for.
    [[nodiscard]] bool open_record(place from, body& sections, const auto& lacks) {
        return open_record(from, sections) &&
               charge(lacks.within(sections.data_size, sections.pointer_count * word_size), from.at);
    }

protected:
    /// Text: bytes with a zero behind them, which counts.
    [[nodiscard, gnu::always_inline]] bool find_text(word says, place from, const std::byte*& start, std::size_t& size) {
        if (!find_data(says, from, start, size)) [[unlikely]] {
            return false;
        }
        return (size > 0 && start[size - 1] == std::byte{0}) || fail(code::bad_value, from.at);
    }

    /// The same, and the text must be UTF-8.
    [[nodiscard]] bool find_utf8(word says, place from, const std::byte*& start, std::size_t& size) {
        if (!find_text(says, from, start, size)) [[unlikely]] {
            return false;
        }
        return is_utf8(std::string_view(reinterpret_cast<const char*>(start), size - 1)) || fail(code::bad_text, start);
    }

    [[nodiscard, gnu::always_inline]] bool find_data(word says, place from, const std::byte*& start, std::size_t& size) {
        size = says.count();
        start = near_bytes(says, from);
        return start != nullptr || far_bytes(from, start, size);
    }

    /// Elements that are read as records, which pay for what each lacks.
    [[nodiscard]] bool find_records(place from, elements& found, const auto& lacks) {
        if (!find_list(from, found)) {
            return false;
        }
        if (found.stride == 1) [[unlikely]] {
            return fail(code::bad_value, from.at);
        }
        return charge_each(found.count, lacks.within(found.data / 8, found.pointers * word_size), from.at);
    }

    /// Numbers of `size` bytes.
    [[nodiscard]] bool find_numbers(place from, std::size_t size, elements& found) {
        if (!find_list(from, found)) {
            return false;
        }
        if (found.data < size * 8) {
            return fail(code::bad_value, from.at);
        }
        // Short elements take more memory than bytes, in some languages many times more: budgets are the same in all.
        return size >= word_size || surcharge(found.count, word_size - size, from.at);
    }

    /// Bits lie side by side whatever the list says of its elements: of wider ones the reference reads the first bits of the
    /// list, one an element.
    [[nodiscard]] bool find_bits(place from, elements& found) {
        if (!find_list(from, found)) {
            return false;
        }
        if (found.data == 0 || found.records) {
            return fail(code::bad_value, from.at);
        }
        return surcharge((found.count + 7) / 8, 7, from.at);
    }

    /// Values that take no bytes.
    [[nodiscard]] bool find_voids(place from, elements& found) {
        if (!find_list(from, found)) {
            return false;
        }
        // They are charged the same in whatever encoding they come.
        const bool short_ones = found.stride > 0 && found.stride < 64;
        return !short_ones || surcharge(found.count, word_size - found.stride / 8, from.at);
    }

    /// Values behind pointers of their own.
    [[nodiscard]] bool find_pointers(place from, elements& found) {
        if (!find_list(from, found)) {
            return false;
        }
        return found.pointers > 0 || fail(code::bad_value, from.at);
    }

private:
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
    [[gnu::noinline]] bool far_bytes(place from, const std::byte*& start, std::size_t& size) {
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
    [[nodiscard]] bool find_list(place from, elements& found) {
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

    /// The charge for each pointer in a list's elements beside its word: a text becomes many values where many pointers lead
    /// to it.
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
        if (!(stride == 0 ? charge_empty(tag.elements(), at) : surcharge(tag.elements(), tag.pointers() * link_cost, at))) {
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
        if ((size == element_size::none && !charge_empty(count, at)) || (behind && !surcharge(count, link_cost, at))) {
            return false;
        }
        const std::uint32_t data = behind ? 0 : static_cast<std::uint32_t>(bits);
        found = {start, to.in, static_cast<std::size_t>(count), static_cast<std::size_t>(bits), data, behind ? 1U : 0U, false};
        return true;
    }
};

}  // namespace aldis::segments
