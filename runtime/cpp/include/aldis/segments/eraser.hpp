// Objects that nothing leads to any longer become zeros, so that no message tells what was written and taken back.
#pragma once

#include <cstring>
#include <span>

#include "pointer.hpp"

namespace aldis::segments {

/// Zeroes objects of a message of one segment, each led to once. Bytes outside of the message are left alone.
class eraser {
public:
    explicit eraser(std::span<std::byte> message) noexcept : message_(message) {}

    /// Zeroes the pointer at a byte and what it leads to, with all that this leads to in turn, at most so many levels down.
    void pointer(std::size_t at, std::uint32_t levels) const noexcept {
        const word says = load_word(message_.data() + at);
        store_word(message_.data() + at, 0);
        if (levels == 0) {
            return;
        }
        const auto body = static_cast<std::size_t>(static_cast<std::int64_t>(at + word_size) + says.offset());
        if (says.kind() == kind::record) {
            records(body, 1, says, levels - 1);
        } else if (says.kind() == kind::list) {
            list(body, says, levels - 1);
        }
    }

private:
    [[nodiscard]] bool holds(std::size_t at, std::uint64_t words) const noexcept {
        return at <= message_.size() && words <= (message_.size() - at) / word_size;
    }

    void list(std::size_t at, word says, std::uint32_t levels) const noexcept {
        const std::uint64_t count = says.count();
        switch (says.element_size()) {
            case element_size::record:
                if (holds(at, 1 + count)) {
                    const word tag = load_word(message_.data() + at);
                    store_word(message_.data() + at, 0);
                    records(at + word_size, tag.elements(), tag, levels);
                }
                break;
            // As records of one pointer each.
            case element_size::pointer: records(at, count, word{record_word(0, 0, 1)}, levels); break;
            default: zero(at, (count * bits_of(says.element_size()) + 63) / 64); break;
        }
    }

    /// `count` records one behind the other, with the sections that `says` tells of.
    void records(std::size_t at, std::uint64_t count, word says, std::uint32_t levels) const noexcept {
        const std::uint64_t words = says.data() + says.pointers();
        if (!holds(at, count * words)) {
            return;
        }
        if (says.pointers() > 0) {
            for (std::uint64_t index = 0; index < count; ++index) {
                const auto data_end = static_cast<std::size_t>(at + (index * words + says.data()) * word_size);
                for (std::size_t slot = 0; slot < says.pointers(); ++slot) {
                    pointer(data_end + slot * word_size, levels);
                }
            }
        }
        zero(at, count * words);
    }

    void zero(std::size_t at, std::uint64_t words) const noexcept {
        if (words > 0 && holds(at, words)) {
            std::memset(message_.data() + at, 0, static_cast<std::size_t>(words * word_size));
        }
    }

    std::span<std::byte> message_;
};

}  // namespace aldis::segments
