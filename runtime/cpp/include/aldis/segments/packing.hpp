// Packing: a tag byte tells which bytes of a word are not zero; runs of words follow the tags 0 and 255. (Cap'n Proto
// encoding specification, "Packing".)
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "../writer.hpp"
#include "arena.hpp"

namespace aldis::segments {

/// Appends the packed words of `bytes`, a whole number of words. A segment table and each segment are packed by themselves,
/// since readers refuse a run that crosses from one to the other.
inline void pack(std::span<const std::byte> bytes, std::vector<std::byte>& out) {
    const std::size_t words = bytes.size() / word_size;
    const auto zeros_in = [bytes](std::size_t word) {
        return std::count(bytes.begin() + static_cast<std::ptrdiff_t>(word * word_size),
                          bytes.begin() + static_cast<std::ptrdiff_t>((word + 1) * word_size), std::byte{0});
    };
    for (std::size_t next = 0; next < words;) {
        const std::byte* const word = bytes.data() + next * word_size;
        const std::size_t tag_at = out.size();
        unsigned tag = 0;
        out.push_back(std::byte{0});
        for (unsigned index = 0; index < word_size; ++index) {
            if (word[index] != std::byte{0}) {
                tag |= 1U << index;
                out.push_back(word[index]);
            }
        }
        out[tag_at] = static_cast<std::byte>(tag);
        ++next;
        if (tag != 0 && tag != 0xFF) {
            continue;
        }
        // Words that have at most one zero byte go on with a run of plain words.
        const std::size_t first = next;
        while (next < words && next - first < 255 && (tag == 0 ? zeros_in(next) == 8 : zeros_in(next) < 2)) {
            ++next;
        }
        out.push_back(static_cast<std::byte>(next - first));
        if (tag == 0xFF) {
            out.insert(out.end(), bytes.begin() + static_cast<std::ptrdiff_t>(first * word_size),
                       bytes.begin() + static_cast<std::ptrdiff_t>(next * word_size));
        }
    }
}

/// Unpacks the message that begins at the front of packed bytes. Faults have no place: the bytes of a message are the
/// unpacked ones.
class unpacker : public trace {
public:
    /// The bytes go to `out`: no more than `limit`.
    unpacker(std::span<const std::byte> in, std::uint64_t limit, buffer& out) noexcept : in_(in), limit_(limit), out_(out) {}

    [[nodiscard]] bool message() {
        if (!words(1) || !boundary()) {
            return false;
        }
        const std::uint32_t less_one = load<std::uint32_t, little>(out_.bytes().data());
        if (less_one >= max_segments) {
            return fail(code::bad_count);
        }
        std::uint64_t total = (std::uint64_t{less_one} + 1) / 2 + 1;
        if (!words(total) || !boundary()) {
            return false;
        }
        for (std::size_t index = 0; index <= less_one; ++index) {
            total += load<std::uint32_t, little>(out_.bytes().data() + 4 + 4 * index);
        }
        return words(total) && boundary();
    }

    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return out_.bytes(); }
    /// How many packed bytes the message takes.
    [[nodiscard]] std::size_t taken() const noexcept { return at_; }

private:
    [[gnu::cold, gnu::noinline]] bool fail(code what) {
        note(what, error::nowhere);
        return false;
    }

    /// Goes on until there are `total` words.
    [[nodiscard]] bool words(std::uint64_t total) {
        if (total > limit_ / word_size) {
            return fail(code::too_large);
        }
        const std::span<std::byte> out = out_.extend(static_cast<std::size_t>(total * word_size));
        while (made_ < out.size()) {
            const std::size_t wanted = (out.size() - made_) / word_size;
            std::byte* const to = out.data() + made_;
            if (zeros_ > 0) {
                const std::size_t run = std::min(zeros_, wanted);
                std::memset(to, 0, run * word_size);
                zeros_ -= run;
                made_ += run * word_size;
            } else if (plain_ > 0) {
                const std::size_t run = std::min(plain_, wanted);
                if (!has(run * word_size)) {
                    return false;
                }
                std::memcpy(to, in_.data() + at_, run * word_size);
                at_ += run * word_size;
                plain_ -= run;
                made_ += run * word_size;
            } else if (!one(to)) {
                return false;
            }
        }
        return true;
    }

    /// Reads a tag and its word, and how many words of a run follow.
    [[nodiscard]] bool one(std::byte* to) {
        if (!has(1)) {
            return false;
        }
        const auto tag = static_cast<unsigned>(in_[at_++]);
        if (!has(static_cast<std::size_t>(std::popcount(tag)))) {
            return false;
        }
        for (unsigned index = 0; index < word_size; ++index) {
            to[index] = (tag >> index & 1U) != 0 ? in_[at_++] : std::byte{0};
        }
        made_ += word_size;
        if (tag == 0 || tag == 0xFF) {
            if (!has(1)) {
                return false;
            }
            (tag == 0 ? zeros_ : plain_) = static_cast<std::size_t>(in_[at_++]);
        }
        return true;
    }

    [[nodiscard]] bool has(std::size_t size) { return size <= in_.size() - at_ || fail(code::truncated); }

    /// No run may go beyond here.
    [[nodiscard]] bool boundary() { return zeros_ + plain_ == 0 || fail(code::bad_value); }

    std::span<const std::byte> in_;
    std::uint64_t limit_;
    buffer& out_;
    std::size_t at_ = 0;
    std::size_t made_ = 0;
    /// Words of a run that are still to come.
    std::size_t zeros_ = 0;
    std::size_t plain_ = 0;
};

}  // namespace aldis::segments
