// The end of a packed message. (Cap'n Proto encoding specification, "Packing".)
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "framing.hpp"

namespace aldis {

/// Looks for the end of one packed message as its bytes come, each of which is looked at once. Only the table of
/// segments is unpacked, since it says how many words there are.
class packed_walk {
public:
    /// The head of the message that the bytes begin with: the bytes of the call before, and those that came since. A message that
    /// would have more than `limit` bytes unpacked is too large.
    frame_head look(std::span<const std::byte> in, std::uint64_t limit) {
        for (;;) {
            while (words_ == wanted_) {
                if (part_ == part::segments) {
                    return frame_head::known(at_);
                }
                if (const frame_head wrong = next_part(limit); wrong.is == frame_head::state::broken) {
                    return wrong;
                }
            }
            const frame_head group = look_at_group(in.subspan(at_));
            if (group.is == frame_head::state::more) {
                return frame_head::more(at_ + group.size);
            }
            if (group.is == frame_head::state::broken) {
                return group;
            }
            pass(in.subspan(at_, static_cast<std::size_t>(group.size)));
        }
    }

    /// Begins with the next message.
    void restart() noexcept {
        at_ = 0;
        words_ = 0;
        wanted_ = 1;
        part_ = part::first_word;
    }

private:
    /// The first word says how long the table is. The table and the segments behind it are packed by themselves.
    enum class part : std::uint8_t { first_word, table, segments };

    static constexpr std::byte zeros{0x00};
    static constexpr std::byte dense{0xFF};

    static std::size_t given(std::byte tag) noexcept {
        return static_cast<std::size_t>(std::popcount(std::to_integer<std::uint8_t>(tag)));
    }
    static bool has_run(std::byte tag) noexcept { return tag == zeros || tag == dense; }

    /// A tag, the bytes of its word that are not zero, and where it has one, the run of words behind it.
    [[nodiscard]] frame_head look_at_group(std::span<const std::byte> in) const noexcept {
        if (in.empty()) {
            return frame_head::more(1);
        }
        const std::size_t word = 1 + given(in[0]);
        if (!has_run(in[0])) {
            return in.size() < word ? frame_head::more(word) : frame_head::known(word);
        }
        if (in.size() < word + 1) {
            return frame_head::more(word + 1);
        }
        const auto run = std::to_integer<std::size_t>(in[word]);
        if (run > wanted_ - words_ - 1) {
            return frame_head::bad_packing(code::bad_value);
        }
        const std::size_t size = word + 1 + (in[0] == dense ? run * 8 : 0);
        return in.size() < size ? frame_head::more(size) : frame_head::known(size);
    }

    /// Leaves a whole group behind.
    void pass(std::span<const std::byte> group) noexcept {
        const std::size_t word = 1 + given(group[0]);
        const std::size_t run = has_run(group[0]) ? std::to_integer<std::size_t>(group[word]) : 0;
        if (part_ != part::segments) {
            std::byte* const out = table_.data() + words_ * 8;
            const std::byte* from = group.data() + 1;
            for (std::size_t bit = 0; bit < 8; ++bit) {
                out[bit] = ((group[0] >> bit) & std::byte{1}) != zeros ? *from++ : zeros;
            }
            if (group[0] == dense) {
                std::memcpy(out + 8, from + 1, run * 8);
            } else {
                std::memset(out + 8, 0, run * 8);
            }
        }
        at_ += group.size();
        words_ += 1 + run;
    }

    /// Goes on to what the part tells of that is complete.
    frame_head next_part(std::uint64_t limit) noexcept {
        const std::uint64_t segments = std::uint64_t{load<std::uint32_t, little>(table_.data())} + 1;
        if (segments > most_segments) {
            return frame_head::bad_packing(code::bad_count);
        }
        const std::uint64_t table = segment_table_size(segments);
        if (part_ == part::first_word) {
            part_ = part::table;
            wanted_ = table / 8;
            return frame_head::known(0);
        }
        part_ = part::segments;
        wanted_ = table / 8 + segment_words(table_.data(), segments);
        return wanted_ * 8 > limit ? frame_head::broken(stream_code::frame_too_large, wanted_ * 8, limit)
                                   : frame_head::known(0);
    }

    /// Bytes that were looked at, and the words that they unpack to.
    std::size_t at_ = 0;
    std::uint64_t words_ = 0;
    /// Words after which the part must end.
    std::uint64_t wanted_ = 1;
    part part_ = part::first_word;
    /// The table, unpacked.
    std::array<std::byte, segment_table_size(most_segments)> table_{};
};

}  // namespace aldis
