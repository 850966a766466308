// Copies of objects without a schema, as they are or in canonical form. (Cap'n Proto encoding specification,
// "Canonicalization".)
#pragma once

#include <algorithm>
#include <vector>

#include "arena.hpp"

namespace aldis::segments {

/// Copies go to the end of these bytes.
template <class Memory>
struct appended {
    std::vector<std::byte, Memory>& bytes;

    /// Room for words of zeros; gives where they begin.
    [[nodiscard]] std::size_t reserve(std::size_t words) const {
        const std::size_t start = bytes.size();
        bytes.resize(start + words * word_size);
        return start;
    }
    void store(std::size_t at, std::uint64_t bits) const noexcept { store_word(bytes.data() + at, bits); }
    void put(std::size_t at, const std::byte* from, std::size_t size) const noexcept {
        if (size > 0) {
            std::memcpy(bytes.data() + at, from, size);
        }
    }
};

template <class Memory>
appended(std::vector<std::byte, Memory>&) -> appended<Memory>;

/// Copies that nobody wants: objects are only gone through.
struct unwanted {
    [[nodiscard]] std::size_t reserve(std::size_t) const noexcept { return 0; }
    void store(std::size_t, std::uint64_t) const noexcept {}
    void put(std::size_t, const std::byte*, std::size_t) const noexcept {}
};

/// Copies objects to the end of one segment in pre-order: an object's own words, then what its pointers lead to, left to
/// right. In canonical form sections have no zeros at their end, and there are no capabilities.
template <class Out, class From = arena>
class copier {
public:
    /// The bytes that are copied are charged to the budget of `from`, and faults are noted there.
    copier(From& from, bool is_canonical, Out out) noexcept
        : from_(from), out_(out), canonical_(is_canonical) {}

    /// Copies what a pointer leads to and writes, at `slot` of the segment, a pointer to the copy.
    [[nodiscard]] bool pointer(place at, std::size_t slot) {
        if (load_word(at.at).is_null()) {
            return true;
        }
        target to{};
        if (!from_.follow(at, to)) {
            return false;
        }
        if (to.says.kind() == kind::other) {
            if (canonical_) {
                return from_.fail(code::bad_value, at.at);
            }
            out_.store(slot, to.says.bits);
            return true;
        }
        if (!from_.enter(at.at)) {
            return false;
        }
        const bool copied = to.says.kind() == kind::record                         ? record(to, at.at, slot)
                            : to.says.element_size() == element_size::record       ? records(to, at.at, slot)
                            : to.says.element_size() == element_size::pointer      ? pointers(to, at.at, slot)
                                                                                   : numbers(to, at.at, slot);
        from_.leave();
        return copied;
    }

private:
    /// An object's sections, in words.
    struct sections {
        const std::byte* data;
        std::size_t words;
        const std::byte* pointers;
        std::size_t count;
    };

    [[nodiscard]] bool record(const target& to, const std::byte* at, std::size_t slot) {
        const std::uint64_t size = std::uint64_t{to.says.data() + to.says.pointers()} * word_size;
        const std::byte* const start = from_.find(to, size, at);
        if (start == nullptr || !from_.charge(size, at)) {
            return false;
        }
        const sections body = trimmed({start, to.says.data(), start + to.says.data() * word_size, to.says.pointers()});
        const std::size_t own = body.words + body.count;
        const std::size_t copy = out_.reserve(own);
        out_.store(slot, record_word(own == 0 ? -1 : distance(slot, copy), body.words, body.count));
        return contents(body, to.in, copy);
    }

    [[nodiscard]] bool contents(const sections& body, const segment* in, std::size_t copy) {
        out_.put(copy, body.data, body.words * word_size);
        return follow_all(body.pointers, in, body.count, copy + body.words * word_size);
    }

    [[nodiscard]] bool follow_all(const std::byte* from, const segment* in, std::size_t count, std::size_t slots) {
        for (std::size_t index = 0; index < count; ++index) {
            if (!pointer({from + index * word_size, in}, slots + index * word_size)) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] sections trimmed(sections body) const {
        if (canonical_) {
            while (body.count > 0 && load_word(body.pointers + (body.count - 1) * word_size).is_null()) {
                --body.count;
            }
            while (body.words > 0 && load_word(body.data + (body.words - 1) * word_size).is_null()) {
                --body.words;
            }
        }
        return body;
    }

    [[nodiscard]] bool pointers(const target& to, const std::byte* at, std::size_t slot) {
        const std::uint64_t size = std::uint64_t{to.says.count()} * word_size;
        const std::byte* const start = from_.find(to, size, at);
        if (start == nullptr || !from_.charge(size, at)) {
            return false;
        }
        const std::size_t copy = out_.reserve(to.says.count());
        out_.store(slot, list_word(distance(slot, copy), element_size::pointer, to.says.count()));
        return follow_all(start, to.in, to.says.count(), copy);
    }

    [[nodiscard]] bool numbers(const target& to, const std::byte* at, std::size_t slot) {
        const element_size size = to.says.element_size();
        const std::uint64_t bits = bits_of(size) * to.says.count();
        const std::uint64_t words = (bits + 63) / 64;
        const std::byte* const start = from_.find(to, words * word_size, at);
        const std::uint64_t empty = size == element_size::none ? to.says.count() : 0;
        if (start == nullptr || !from_.charge(words * word_size, at) || !from_.charge_empty(empty, at)) {
            return false;
        }
        const std::size_t copy = out_.reserve(static_cast<std::size_t>(words));
        out_.store(slot, list_word(distance(slot, copy), size, to.says.count()));
        // The bytes beyond the last element stay zero.
        const auto whole = static_cast<std::size_t>(bits / 8);
        out_.put(copy, start, whole);
        if (bits % 8 != 0) {
            const std::byte last = start[whole] & static_cast<std::byte>((1U << bits % 8) - 1);
            out_.put(copy + whole, &last, 1);
        }
        return true;
    }

    [[nodiscard]] bool records(const target& to, const std::byte* at, std::size_t slot) {
        const std::uint64_t words = std::uint64_t{to.says.count()} + 1;
        const std::byte* const start = from_.find(to, words * word_size, at);
        if (start == nullptr || !from_.charge(words * word_size, at)) {
            return false;
        }
        const word tag = load_word(start);
        if (!from_.check_tag(tag, to.says.count(), start)) {
            return false;
        }
        const std::size_t count = tag.elements();
        const std::size_t stride = tag.data() + tag.pointers();
        if (stride == 0 && !from_.charge_empty(count, at)) {
            return false;
        }
        const auto element = [&](std::size_t index) {
            const std::byte* const data = start + (1 + index * stride) * word_size;
            return sections{data, tag.data(), data + tag.data() * word_size, tag.pointers()};
        };
        sections most{nullptr, tag.data(), nullptr, tag.pointers()};
        if (canonical_ && stride > 0) {
            most = {};
            for (std::size_t index = 0; index < count; ++index) {
                const sections body = trimmed(element(index));
                most.words = std::max(most.words, body.words);
                most.count = std::max(most.count, body.count);
            }
        }
        const std::size_t own = most.words + most.count;
        const std::size_t copy = out_.reserve(1 + count * own);
        out_.store(slot, list_word(distance(slot, copy), element_size::record, count * own));
        out_.store(copy, tag_word(count, most.words, most.count));
        if (own == 0) {
            return true;
        }
        for (std::size_t index = 0; index < count; ++index) {
            const sections body = element(index);
            const sections cut{body.data, most.words, body.pointers, most.count};
            if (!contents(cut, to.in, copy + (1 + index * own) * word_size)) {
                return false;
            }
        }
        return true;
    }

    static std::int64_t distance(std::size_t slot, std::size_t to) {
        return (static_cast<std::int64_t>(to) - static_cast<std::int64_t>(slot)) / 8 - 1;
    }

    From& from_;
    Out out_;
    bool canonical_;
};

}  // namespace aldis::segments
