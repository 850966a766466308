// Following the pointers of a message that was verified: nothing is checked, and nothing is kept but where the message begins.
#pragma once

#include "arena.hpp"

namespace aldis::segments {

/// The target of a pointer of a verified message.
struct landing {
    word says;
    /// Its body is `offset` bytes from here; anywhere where it is empty.
    const std::byte* from;
    std::int64_t offset;

    [[nodiscard]] const std::byte* body() const noexcept { return from + offset; }
};

/// The first byte of a verified message, which far pointers count from.
struct origin {
    const std::byte* begin = nullptr;
    /// A table of segments stands there, else the first and only one.
    bool table = false;

    /// The first byte of a segment, which the table is added up for: most messages have few.
    [[nodiscard]] const std::byte* segment(std::uint32_t index) const noexcept {
        if (!table) {
            return begin;
        }
        const std::size_t count = std::size_t{load<std::uint32_t, little>(begin)} + 1;
        std::size_t words = count / 2 + 1;
        for (std::uint32_t before = 0; before < index; ++before) {
            words += load<std::uint32_t, little>(begin + 4 + 4 * before);
        }
        return begin + words * word_size;
    }

    /// The target of the pointer at `at`, which is not null.
    [[nodiscard]] landing follow(const std::byte* at) const noexcept {
        const word says = load_word(at);
        if (says.kind() == kind::far) [[unlikely]] {
            return follow_far(says);
        }
        return {says, at + word_size, says.offset()};
    }

private:
    [[nodiscard, gnu::noinline]] landing follow_far(word says) const noexcept {
        const std::byte* const pad = segment(says.segment()) + says.pad();
        const word first = load_word(pad);
        if (!says.is_double()) {
            return {first, pad + word_size, first.offset()};
        }
        return {load_word(pad + word_size), segment(first.segment()), static_cast<std::int64_t>(first.pad())};
    }
};

/// A verified message as a `copier` reads it: what an arena checks is known to be right.
class trusted {
public:
    explicit trusted(const origin& from) noexcept : from_(from) {}

    [[nodiscard]] bool follow(place at, target& to) const noexcept {
        const landing found = from_.follow(at.at);
        to = {found.says, nullptr, found.from - from_.begin + found.offset};
        return true;
    }
    /// Nothing is read from an empty body, so that it may be anywhere.
    [[nodiscard]] const std::byte* find(const target& to, std::uint64_t size, const std::byte* at) const noexcept {
        return size == 0 ? at : from_.begin + to.at;
    }
    [[nodiscard]] bool charge(std::uint64_t, const std::byte*) const noexcept { return true; }
    [[nodiscard]] bool charge_empty(std::uint64_t, const std::byte*) const noexcept { return true; }
    [[nodiscard]] bool enter(const std::byte*) const noexcept { return true; }
    void leave() const noexcept {}
    [[nodiscard]] bool check_tag(word, std::uint32_t, const std::byte*) const noexcept { return true; }
    [[nodiscard]] bool fail(code, const std::byte*) const noexcept { return false; }

private:
    origin from_;
};

}  // namespace aldis::segments
