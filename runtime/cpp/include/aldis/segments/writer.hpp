// Writing messages of segments: first how many words a value takes, and whether it can be written at all; then stores
// without a check. Objects lie in pre-order: an object's own words, then what its pointers lead to, left to right.
#pragma once

#include <string_view>
#include <variant>

#include "reader.hpp"

namespace aldis::segments {

/// Copies of values of open type, in the order in which they are written.
using copies = std::vector<std::vector<std::byte>>;

/// Adds up the words of what pointers lead to. A function that can fail returns whether it succeeded, and notes the fault.
class sizer : public answering_trace {
public:
    sizer(const limits& most, copies& kept) noexcept : copies_(kept), depth_(most.depth) {}

    void add(std::uint64_t words) noexcept { words_ += words; }
    [[nodiscard]] std::uint64_t words() const noexcept { return words_; }
    /// The charge of readers for elements without bytes: 8 for each of them.
    [[nodiscard]] std::uint64_t unpaid() const noexcept { return unpaid_; }

    [[gnu::cold, gnu::noinline]] bool fail(code what, std::string_view words = {}) {
        note(what, error::nowhere);
        say(std::string(words));
        return false;
    }

    [[gnu::cold, gnu::noinline]] bool outside(std::string_view what, std::uint64_t count) {
        return fail(code::out_of_range, aldis::detail::beyond(what, count, max_count));
    }

    [[nodiscard]] bool enter() {
        if (depth_ == 0) [[unlikely]] {
            return fail(code::too_deep, aldis::detail::deeper);
        }
        --depth_;
        return true;
    }
    void leave() noexcept { ++depth_; }

    template <class Maybe>
    [[nodiscard, gnu::always_inline]] bool text(const Maybe& value) {
        return !value.has_value() || row(value->size() + 1, 8);
    }
    template <class Maybe>
    [[nodiscard]] bool data(const Maybe& value) {
        return !value.has_value() || row(value->size(), 8);
    }

    /// A list of numbers, bits or nothing, of `bits` each.
    template <class Maybe>
    [[nodiscard]] bool numbers(const Maybe& values, std::uint64_t bits) {
        if (!values.has_value()) {
            return true;
        }
        if (!enter() || !row(values->size(), bits)) {
            return false;
        }
        unpaid_ += bits == 0 ? empty_element * values->size() : 0;
        leave();
        return true;
    }

    /// A record of `words`; `size` adds what its own pointers lead to.
    template <class Maybe, class Size>
    [[nodiscard]] bool record(const Maybe& value, std::uint64_t words, Size size) {
        if (!value.has_value()) {
            return true;
        }
        if (!enter()) {
            return false;
        }
        add(words);
        if (!size(*this, *value)) {
            return false;
        }
        leave();
        return true;
    }

    template <class Maybe, class Size>
    [[nodiscard]] bool records(const Maybe& values, std::uint64_t words, Size size) {
        if (!values.has_value()) {
            return true;
        }
        const std::uint64_t count = values->size();
        if (!enter()) {
            return false;
        }
        // The words of all elements have a count of 29 bits too.
        if (count > max_count || count * words > max_count) {
            return outside("elements or words", aldis::detail::larger(count, count * words));
        }
        if (!enter()) {
            return false;
        }
        add(1 + count * words);
        unpaid_ += words == 0 ? empty_element * count : 0;
        for (std::size_t index = 0; index < count; ++index) {
            if (!size(*this, (*values)[index])) {
                return in_element(index);
            }
        }
        leave();
        leave();
        return true;
    }

    /// A list of values behind pointers of their own.
    template <class Maybe, class Size>
    [[nodiscard]] bool pointers(const Maybe& values, Size size) {
        if (!values.has_value()) {
            return true;
        }
        if (!enter() || !row(values->size(), 64)) {
            return false;
        }
        for (std::size_t index = 0; index < values->size(); ++index) {
            if (!size((*values)[index])) {
                return in_element(index);
            }
        }
        leave();
        return true;
    }

    /// A value of open type, which is copied, so that it is known to be one.
    template <class Maybe>
    [[nodiscard]] bool any(const Maybe& value) {
        if (!value.has_value()) {
            return true;
        }
        given_arena from(depth_, value->message.size());
        std::vector<std::byte> copy(word_size);
        if (!from.open(value->message, false) || !copier(from, false, appended{copy}).pointer(from.root(), 0)) {
            note(from.fault().what, error::nowhere);
            return false;
        }
        add(copy.size() / word_size - 1);
        unpaid_ += from.unpaid();
        copies_.push_back(std::move(copy));
        return true;
    }

private:
    /// The body of a list.
    [[nodiscard, gnu::always_inline]] bool row(std::uint64_t count, std::uint64_t bits) {
        if (count > max_count) [[unlikely]] {
            return outside("elements or bytes", count);
        }
        add((count * bits + 63) / 64);
        return true;
    }

    copies& copies_;
    std::uint64_t words_ = 0;
    std::uint64_t unpaid_ = 0;
    std::uint32_t depth_;
};

/// Writes what pointers lead to: each value behind all that was written before. Pointers that are not written are zero
/// already.
class writer {
public:
    writer(std::byte* next, const copies& kept) noexcept : next_(next), copies_(kept) {}

    /// Room for `words` words.
    std::byte* reserve(std::uint64_t words) noexcept {
        std::byte* const at = next_;
        next_ += words * word_size;
        return at;
    }

    template <class Maybe>
    void text(std::byte* pointer, const Maybe& value) noexcept {
        if (value.has_value()) {
            bytes(pointer, std::as_bytes(std::span(value->data(), value->size())), value->size() + 1);
        }
    }
    template <class Maybe>
    void data(std::byte* pointer, const Maybe& value) noexcept {
        if (value.has_value()) {
            bytes(pointer, *value, value->size());
        }
    }

    template <class Maybe>
    void numbers(std::byte* pointer, const Maybe& values) noexcept {
        if (!values.has_value()) {
            return;
        }
        using number = typename std::decay_t<decltype(*values)>::value_type;
        constexpr element_size size = sizeof(number) == 1   ? element_size::byte
                                      : sizeof(number) == 2 ? element_size::two
                                      : sizeof(number) == 4 ? element_size::four
                                                            : element_size::eight;
        std::byte* const at = row(pointer, size, values->size(), words_for(values->size() * sizeof(number)));
        store_row<little>(at, values->data(), values->size());
    }

    template <class Maybe>
    void bits(std::byte* pointer, const Maybe& values) noexcept {
        if (!values.has_value()) {
            return;
        }
        const std::size_t count = values->size();
        std::byte* const at = row(pointer, element_size::bit, count, (count + 63) / 64);
        for (std::size_t index = 0; index < count; ++index) {
            at[index / 8] |= static_cast<std::byte>(static_cast<unsigned>((*values)[index]) << index % 8);
        }
    }

    template <class Maybe>
    void voids(std::byte* pointer, const Maybe& values) noexcept {
        if (values.has_value()) {
            row(pointer, element_size::none, values->size(), 0);
        }
    }

    /// A record of those sections, in words; `write` writes it where it is told to, and what its pointers lead to.
    template <class Maybe, class Write>
    void record(std::byte* pointer, const Maybe& value, std::uint32_t data, std::uint32_t pointers, Write write) {
        if (value.has_value()) {
            std::byte* const at = next_;
            // One without sections must not look like null.
            const std::int64_t far = data + pointers == 0 ? -1 : distance(pointer, at);
            store_word(pointer, record_word(far, data, pointers));
            reserve(data + pointers);
            write(*this, at, *value);
        }
    }

    template <class Maybe, class Write>
    void records(std::byte* pointer, const Maybe& values, std::uint32_t data, std::uint32_t pointers, Write write) {
        if (!values.has_value()) {
            return;
        }
        const std::uint64_t words = std::uint64_t{values->size()} * (data + pointers);
        store_word(pointer, list_word(distance(pointer, next_), element_size::record, words));
        std::byte* at = reserve(1 + words);
        store_word(at, tag_word(values->size(), data, pointers));
        at += word_size;
        for (const auto& value : *values) {
            write(*this, at, value);
            at += (data + pointers) * word_size;
        }
    }

    /// A list of values behind pointers of their own, of which `write` writes each.
    template <class Maybe, class Write>
    void pointers(std::byte* pointer, const Maybe& values, Write write) {
        if (!values.has_value()) {
            return;
        }
        std::byte* at = row(pointer, element_size::pointer, values->size(), values->size());
        if (!values->empty()) {
            std::memset(at, 0, values->size() * word_size);
        }
        for (const auto& value : *values) {
            write(at, value);
            at += word_size;
        }
    }

    template <class Maybe>
    void any(std::byte* pointer, const Maybe& value) noexcept {
        if (!value.has_value()) {
            return;
        }
        const std::vector<std::byte>& copy = copies_[copied_++];
        const word says = load_word(copy.data());
        const std::size_t size = copy.size() - word_size;
        std::byte* const at = reserve(size / word_size);
        if (size > 0) {
            std::memcpy(at, copy.data() + word_size, size);
        }
        // All but the root's pointer count from their own place. Nulls, capabilities and empty records lead nowhere.
        const bool leads = !says.is_null() && says.kind() != kind::other && says.offset() >= 0;
        store_word(pointer, leads ? (says.bits >> 32) << 32 | record_word(distance(pointer, at), 0, 0) | (says.bits & 3)
                                  : says.bits);
    }

private:
    static std::int64_t distance(const std::byte* pointer, const std::byte* to) noexcept {
        return (to - pointer) / 8 - 1;
    }

    /// The body of a list, and the pointer to it. Its last word is zero, as what lies behind the elements must be.
    std::byte* row(std::byte* pointer, element_size size, std::uint64_t count, std::uint64_t words) noexcept {
        store_word(pointer, list_word(distance(pointer, next_), size, count));
        std::byte* const at = reserve(words);
        if (size == element_size::bit) {
            std::memset(at, 0, static_cast<std::size_t>(words * word_size));
        } else if (words > 0) {
            store_word(next_ - word_size, 0);
        }
        return at;
    }

    void bytes(std::byte* pointer, std::span<const std::byte> from, std::size_t count) noexcept {
        std::byte* const at = row(pointer, element_size::byte, count, words_for(count));
        copy(at, from.data(), from.size());
    }

    /// Copies bytes; most texts are so short that a call would take longer than the copy.
    static void copy(std::byte* to, const std::byte* from, std::size_t size) noexcept {
        using words = std::array<std::uint64_t, 2>;
        if (size > 2 * sizeof(words)) {
            std::memcpy(to, from, size);
        } else if (size > detail::short_size) {
            detail::copy_ends<words>(to, from, size);
        } else {
            detail::copy_short(to, from, size);
        }
    }

    std::byte* next_;
    const copies& copies_;
    std::size_t copied_ = 0;
};

/// Stores one bit of a byte whose bits are zero or other fields'.
inline void store_bit(std::byte* at, unsigned bit, bool value) noexcept {
    *at |= static_cast<std::byte>(static_cast<unsigned>(value) << bit);
}

/// Stores a number as it differs from `meant`, which zero stands for.
template <class T>
inline void store_apart(std::byte* at, T value, T meant) noexcept {
    using bits = detail::bits_of<T>;
    store<little>(at, value);
    store<little>(at, static_cast<bits>(load<bits, little>(at) ^ std::bit_cast<bits>(meant)));
}

}  // namespace aldis::segments
