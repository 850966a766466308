// A message's segments, and what far pointers lead to. (Cap'n Proto encoding specification, "Serialization Over a Stream",
// "Inter-Segment Pointers".)
#pragma once

#include <limits>
#include <span>

#include "../limits.hpp"
#include "../owned.hpp"
#include "../result.hpp"
#include "pointer.hpp"

namespace aldis::segments {

/// The target of a pointer; its body is not checked yet.
struct target {
    word says;
    const segment* in;
    /// The body's first byte in its segment, of the tag for a list of records; may be outside of it.
    std::int64_t at;
};

/// The bytes of a message and where its segments are in them; faults, and how much may still be visited.
class arena : public answering_trace {
public:
    explicit arena(const limits& most, std::size_t input) noexcept
        : budget_(most.budget(input)), extra_(most.surcharge ? ~std::uint64_t{0} : 0), depth_(most.depth) {}
    arena(const arena&) = delete;
    arena& operator=(const arena&) = delete;

    [[gnu::cold, gnu::noinline]] bool fail(code what, const std::byte* at) {
        note(what, static_cast<std::size_t>(at - begin_));
        return false;
    }

    /// Finds the segments at the front of `bytes`; the first has room for the root's pointer.
    [[nodiscard]] bool open(std::span<const std::byte> bytes, bool table) {
        static constexpr std::byte nowhere{};
        begin_ = bytes.empty() ? &nowhere : bytes.data();
        if (!table) {
            few_[0] = {begin_, bytes.size() / word_size * word_size};
        } else if (!open_table(bytes)) {
            return false;
        }
        end_ = segments_[count_ - 1].begin + segments_[count_ - 1].size;
        return segments_[0].size >= word_size || fail(code::truncated, segments_[0].begin);
    }

    /// The root's pointer.
    [[nodiscard]] place root() const noexcept { return {segments_[0].begin, segments_}; }
    /// Bytes up to the end of the last segment.
    [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(end_ - begin_); }

    [[nodiscard]] bool charge(std::uint64_t bytes, const std::byte* at) {
        if (bytes > budget_) [[unlikely]] {
            return fail(code::too_large, at);
        }
        budget_ -= bytes;
        return true;
    }

    /// Charges elements that take no bytes, 8 each.
    [[nodiscard]] bool charge_empty(std::uint64_t count, const std::byte* at) { return charge(count * word_size, at); }

    /// Charges each of `count` elements.
    [[nodiscard]] bool charge_each(std::uint64_t count, std::uint64_t each, const std::byte* at) {
        std::uint64_t all = 0;
        if (__builtin_mul_overflow(count, each, &all)) [[unlikely]] {
            return fail(code::too_large, at);
        }
        return charge(all, at);
    }

    /// The same as `charge` without a fault.
    [[nodiscard]] bool pay(std::uint64_t bytes) noexcept {
        const bool enough = bytes <= budget_;
        budget_ -= enough ? bytes : 0;
        return enough;
    }

    /// Charges each of `count` elements for what memory takes beyond its bytes, where the limits ask for that.
    [[nodiscard]] bool surcharge(std::uint64_t count, std::uint64_t each, const std::byte* at) {
        return charge_each(count, each & extra_, at);
    }

    [[nodiscard]] bool enter(const std::byte* at) {
        if (depth_ == 0) [[unlikely]] {
            return fail(code::too_deep, at);
        }
        --depth_;
        return true;
    }
    void leave() noexcept { ++depth_; }
    [[nodiscard]] std::uint32_t depth() const noexcept { return depth_; }

    /// Follows a pointer that is not null, and charges landing pads.
    [[nodiscard]] bool follow(place from, target& to) {
        const word says = load_word(from.at);
        if ((says.bits & 2) != 0) [[unlikely]] {
            return follow_far(says, from, to);
        }
        to = {says, from.in, from.at - from.in->begin + 8 + says.offset()};
        return true;
    }

    /// The body of `size` bytes that the pointer at `from` leads to; null, and a fault, where it is not in its segment.
    /// Nothing can be read from an empty body, so that it may be anywhere.
    [[nodiscard]] const std::byte* find(const target& to, std::uint64_t size, const std::byte* from) {
        if (static_cast<std::uint64_t>(to.at) <= to.in->size && size <= to.in->size - static_cast<std::uint64_t>(to.at))
            [[likely]] {
            return to.in->begin + to.at;
        }
        if (size == 0) {
            return to.in->begin;
        }
        const bool inside = to.at >= 0 && static_cast<std::uint64_t>(to.at) <= to.in->size;
        const bool is_list = to.says.kind() == kind::list;
        fail(inside && is_list ? code::bad_count : code::bad_pointer, from);
        return nullptr;
    }

    /// Elements of a list of records: the tag at its front, and that so many lie in the words behind it.
    [[nodiscard]] bool check_tag(word tag, std::uint32_t words, const std::byte* at) {
        if (tag.kind() != kind::record) {
            return fail(code::bad_value, at);
        }
        const std::uint64_t wanted = std::uint64_t{tag.elements()} * (tag.data() + tag.pointers());
        return wanted <= words || fail(code::bad_count, at);
    }

private:
    /// Reads the table: u32 count - 1, then a u32 for each segment, its words, then zeros to a whole word.
    [[nodiscard]] bool open_table(std::span<const std::byte> bytes) {
        if (bytes.size() < 4) {
            return fail(code::truncated, begin_ + bytes.size());
        }
        const std::uint32_t less_one = load<std::uint32_t, little>(begin_);
        if (less_one >= max_segments) {
            return fail(code::bad_count, begin_);
        }
        count_ = less_one + 1;
        const std::size_t table = (count_ / 2 + 1) * word_size;
        if (bytes.size() < table) {
            return fail(code::truncated, begin_ + bytes.size());
        }
        segment* found = few_;
        if (count_ > std::size(few_)) {
            many_ = aldis::detail::owned<segment[]>(new segment[count_]());
            found = many_.get();
            segments_ = found;
        }
        std::size_t at = table;
        for (std::size_t index = 0; index < count_; ++index) {
            const std::byte* const entry = begin_ + 4 + 4 * index;
            const std::uint64_t words = load<std::uint32_t, little>(entry);
            if (words > (bytes.size() - at) / word_size) {
                return fail(code::truncated, entry);
            }
            found[index] = {begin_ + at, static_cast<std::size_t>(words * word_size)};
            at += found[index].size;
        }
        return true;
    }

    [[nodiscard]] bool near(word says, const std::byte* at, const segment* in, std::int64_t base, target& to) {
        if (says.kind() == kind::other && !says.is_capability()) {
            return fail(code::bad_value, at);
        }
        to = {says, in, base + says.offset()};
        return true;
    }

    /// Follows a far pointer, or what is none of records and lists. Behind a far pointer a word of zeros is a record of no
    /// words, as in the reference: only a pointer that is zero itself is null.
    [[gnu::noinline]] bool follow_far(word says, place from, target& to) {
        if (says.kind() == kind::other) {
            return near(says, from.at, from.in, 0, to);
        }
        const std::uint64_t pads = says.is_double() ? 2 : 1;
        place pad{};
        if (!land(says, from.at, pads, pad)) {
            return false;
        }
        const word first = load_word(pad.at);
        const auto byte_of = [](place where) { return where.at - where.in->begin; };
        if (!says.is_double()) {
            if (first.kind() == kind::far) {
                return fail(code::bad_value, pad.at);
            }
            return near(first, pad.at, pad.in, byte_of(pad) + 8, to) && charge(word_size, from.at);
        }
        if ((first.bits & 7) != 2) {
            return fail(code::bad_value, pad.at);
        }
        place content{};
        if (!land(first, pad.at, 0, content)) {
            return false;
        }
        const std::byte* const tag_at = pad.at + word_size;
        const word tag = load_word(tag_at);
        if (tag.kind() == kind::far) {
            return fail(code::bad_value, tag_at);
        }
        if (!near(tag, tag_at, content.in, 0, to)) {
            return false;
        }
        // The tag's own offset says nothing.
        to.at = byte_of(content);
        return charge(2 * word_size, from.at);
    }

    /// The target of a far pointer, with `words` words there.
    [[nodiscard]] bool land(word says, const std::byte* at, std::uint64_t words, place& to) {
        if (says.segment() >= count_) {
            return fail(code::bad_pointer, at);
        }
        const segment& in = segments_[says.segment()];
        if (says.pad() + words * word_size > in.size) {
            return fail(code::bad_pointer, at);
        }
        to = {in.begin + says.pad(), &in};
        return true;
    }

    const std::byte* begin_ = nullptr;
    const std::byte* end_ = nullptr;
    std::uint64_t budget_;
    /// All bits where surcharges are asked for, else none.
    std::uint64_t extra_;
    std::uint32_t depth_;
    std::size_t count_ = 1;
    /// Most messages have one.
    segment few_[4];
    aldis::detail::owned<segment[]> many_;
    const segment* segments_ = few_;
};

/// A value of open type that is to be copied to a message, where its pointers may lead to an object any number of times:
/// what is copied is charged. A decoded message has each object once, for which a budget of its own size suffices.
class given_arena : public arena {
public:
    given_arena(std::uint32_t depth, std::size_t size) noexcept : arena({.depth = depth}, size) {}

    /// Copies of elements without bytes take none, and no time: readers of the message are who they are too many for.
    [[nodiscard]] bool charge_empty(std::uint64_t count, const std::byte*) noexcept {
        unpaid_ += empty_element * count;
        return true;
    }
    [[nodiscard]] std::uint64_t unpaid() const noexcept { return unpaid_; }

private:
    std::uint64_t unpaid_ = 0;
};

}  // namespace aldis::segments
