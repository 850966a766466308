// Packing: a tag byte tells which bytes of a word are not zero; runs of words follow the tags 0 and 255. (Cap'n Proto
// encoding specification, "Packing".)
#pragma once

#include <array>
#include <bit>

#include "../writer.hpp"
#include "arena.hpp"

namespace aldis::segments {

namespace packing {

constexpr std::uint64_t ones = 0x0101010101010101;

/// Words of 8 bytes between their plain and their packed form. `Wide` where the processor moves the bytes at once.
template <bool Wide>
struct spread {
    /// For each byte that is not zero a 1.
    static std::uint64_t given(std::uint64_t word) noexcept {
        constexpr std::uint64_t low = 0x7F * ones;
        return ((((word & low) + low) | word) >> 7) & ones;
    }
    /// The tag of a word: the bits of `given` side by side.
    static std::uint64_t tag(std::uint64_t given) noexcept { return given * 0x0102040810204080 >> 56; }
    static std::size_t count(std::uint64_t given) noexcept { return static_cast<std::size_t>(given * ones >> 56); }

    /// Writes the bytes of a word that are given; up to 8 bytes behind them may be overwritten.
    static void pack(std::uint64_t word, std::uint64_t given, std::byte* out) noexcept {
        if constexpr (Wide) {
            store<little>(out, gather(word, given * 0xFF));
        } else {
            for (unsigned index = 0; index < word_size; ++index) {
                *out = static_cast<std::byte>(word >> 8 * index);
                out += given >> 8 * index & 1;
            }
        }
    }

    /// The word of a tag and the 8 bytes behind that, of which it takes `taken`.
    static std::uint64_t unpack(unsigned tag, const std::byte* in, std::size_t& taken) noexcept {
        if constexpr (Wide) {
            // Where the next tag is waits for this number and nothing else: its bits are counted at once.
            taken = bits(tag);
            return scatter(load<std::uint64_t, little>(in), scatter(tag, ones) * 0xFF);
        } else {
            std::uint64_t word = 0;
            taken = 0;
            for (unsigned index = 0; index < word_size; ++index) {
                const std::uint64_t bit = tag >> index & 1U;
                word |= (std::to_integer<std::uint64_t>(in[taken]) & (0 - bit)) << 8 * index;
                taken += static_cast<std::size_t>(bit);
            }
            return word;
        }
    }

private:
    // Instructions of x86-64 that compilers only make where all of a program needs a newer processor.
    static std::uint64_t gather(std::uint64_t from, std::uint64_t mask) noexcept {
        std::uint64_t to = 0;
#if defined(__x86_64__)
        __asm__("pext {%2, %1, %0|%0, %1, %2}" : "=r"(to) : "r"(from), "r"(mask));
#else
        static_cast<void>(from + mask);
#endif
        return to;
    }
    static std::uint64_t scatter(std::uint64_t from, std::uint64_t mask) noexcept {
        std::uint64_t to = 0;
#if defined(__x86_64__)
        __asm__("pdep {%2, %1, %0|%0, %1, %2}" : "=r"(to) : "r"(from), "r"(mask));
#else
        static_cast<void>(from + mask);
#endif
        return to;
    }
    static std::size_t bits(unsigned of) noexcept {
        std::uint64_t number = of;
#if defined(__x86_64__)
        __asm__("popcnt {%0, %0|%0, %0}" : "+r"(number));
#endif
        return static_cast<std::size_t>(number);
    }
};

/// Whether the processor has these instructions, and they are quick.
[[nodiscard]] inline bool spreads_wide() noexcept {
#if defined(__x86_64__)
    static const bool wide =
        __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("popcnt") != 0 &&
        !(__builtin_cpu_is("znver1") != 0 || __builtin_cpu_is("znver2") != 0);
    return wide;
#else
    return false;
#endif
}

template <bool Wide>
std::byte* pack(std::span<const std::byte> bytes, std::byte* out) noexcept {
    using of = spread<Wide>;
    const std::byte* at = bytes.data();
    const std::byte* const end = at + bytes.size();
    const auto next = [&at, end](std::size_t words) {
        return at + word_size * aldis::detail::smaller(static_cast<std::size_t>(end - at) / word_size, words);
    };
    constexpr std::size_t longest = 255;
    while (at != end) {
        const auto word = load<std::uint64_t, little>(at);
        const std::uint64_t given = of::given(word);
        at += word_size;
        *out = static_cast<std::byte>(of::tag(given));
        of::pack(word, given, out + 1);
        out += 1 + of::count(given);
        if (given == 0) {
            const std::byte* const first = at;
            for (const std::byte* const stop = next(longest); at != stop && load<std::uint64_t, little>(at) == 0;) {
                at += word_size;
            }
            *out++ = static_cast<std::byte>(static_cast<std::size_t>(at - first) / word_size);
        } else if (given == ones) {
            // Words that have at most one zero byte go on with a run of plain words.
            const std::byte* const first = at;
            std::byte* const run = out++;
            for (const std::byte* const stop = next(longest); at != stop; at += word_size, out += word_size) {
                const auto plain = load<std::uint64_t, little>(at);
                if (of::count(of::given(plain)) < 7) {
                    break;
                }
                store<little>(out, plain);
            }
            *run = static_cast<std::byte>(static_cast<std::size_t>(at - first) / word_size);
        }
    }
    return out;
}

}  // namespace packing

/// The memory that `pack` needs for as many bytes: a word becomes 10 bytes at most, and what is behind the last may be written to.
[[nodiscard]] constexpr std::size_t pack_room(std::size_t size) noexcept { return size / word_size * 10 + word_size; }

/// Writes the packed words of `bytes`, a whole number of words, where there are `pack_room` bytes; gives the place behind them. A
/// segment table and each segment are packed by themselves, since readers refuse a run that crosses from one to the other.
[[nodiscard]] inline std::byte* pack(std::span<const std::byte> bytes, std::byte* out) noexcept {
    return packing::spreads_wide() ? packing::pack<true>(bytes, out) : packing::pack<false>(bytes, out);
}

/// Unpacks the message that begins at the front of packed bytes. Faults have no place: the bytes of a message are the
/// unpacked ones.
class unpacker : public trace {
public:
    /// The bytes go to `few` where these are enough, else to `out`: no more than `limit`.
    unpacker(std::span<const std::byte> in, std::uint64_t limit, buffer& out, std::span<std::byte> few = {}) noexcept
        : in_(in), limit_(limit), out_(out), few_(few) {}

    /// The table tells how many words there are, so that memory is taken once.
    [[nodiscard]] bool message() {
        std::array<std::byte, (max_segments / 2 + 1) * word_size> table;
        if (!within(1) || !part(table.data(), 1)) {
            return false;
        }
        const std::uint32_t less_one = load<std::uint32_t, little>(table.data());
        if (less_one >= max_segments) {
            return fail(code::bad_count);
        }
        const std::size_t words = (std::size_t{less_one} + 1) / 2 + 1;
        if (!within(words) || !part(table.data() + word_size, words - 1)) {
            return false;
        }
        std::uint64_t total = words;
        for (std::size_t index = 0; index <= less_one; ++index) {
            total += load<std::uint32_t, little>(table.data() + 4 + 4 * index);
        }
        if (!within(total)) {
            return false;
        }
        const auto size = static_cast<std::size_t>(total * word_size);
        const std::span<std::byte> made = size <= few_.size() ? few_.first(size) : out_.prepare(size);
        std::memcpy(made.data(), table.data(), words * word_size);
        bytes_ = made;
        return part(made.data() + words * word_size, static_cast<std::size_t>(total - words));
    }

    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }
    /// How many packed bytes the message takes.
    [[nodiscard]] std::size_t taken() const noexcept { return at_; }

private:
    [[gnu::cold, gnu::noinline]] bool fail(code what) {
        note(what, error::nowhere);
        return false;
    }

    /// Whether a message may have so many words.
    [[nodiscard]] bool within(std::uint64_t total) { return total <= limit_ / word_size || fail(code::too_large); }

    /// Unpacks so many words, beyond which no run may go.
    [[nodiscard]] bool part(std::byte* to, std::size_t words) {
        std::byte* const end = to + words * word_size;
        return packing::spreads_wide() ? unpack<true>(to, end) : unpack<false>(to, end);
    }

    template <bool Wide>
    [[nodiscard]] bool unpack(std::byte* to, std::byte* const end) {
        const std::byte* at = in_.data() + at_;
        const std::byte* const stop = in_.data() + in_.size();
        while (to != end) {
            if (at == stop) {
                return fail(code::truncated);
            }
            const auto tag = std::to_integer<unsigned>(*at++);
            std::size_t taken = 0;
            if (stop - at >= static_cast<std::ptrdiff_t>(word_size)) [[likely]] {
                store<little>(to, packing::spread<Wide>::unpack(tag, at, taken));
            } else {
                std::byte last[word_size] = {};
                std::memcpy(last, at, static_cast<std::size_t>(stop - at));
                store<little>(to, packing::spread<false>::unpack(tag, last, taken));
                if (taken > static_cast<std::size_t>(stop - at)) {
                    return fail(code::truncated);
                }
            }
            at += taken;
            to += word_size;
            if ((tag == 0 || tag == 0xFF) && !run(tag, at, to, end)) {
                return false;
            }
        }
        at_ = static_cast<std::size_t>(at - in_.data());
        return true;
    }

    /// The run of words behind a tag.
    [[nodiscard]] bool run(unsigned tag, const std::byte*& at, std::byte*& to, const std::byte* end) {
        const std::byte* const stop = in_.data() + in_.size();
        if (at == stop) {
            return fail(code::truncated);
        }
        const std::size_t said = std::to_integer<std::size_t>(*at++) * word_size;
        const auto size = static_cast<std::size_t>(aldis::detail::smaller(said, static_cast<std::size_t>(end - to)));
        if (tag == 0) {
            std::memset(to, 0, size);
        } else if (size > static_cast<std::size_t>(stop - at)) {
            return fail(code::truncated);
        } else {
            std::memcpy(to, at, size);
            at += size;
        }
        to += size;
        return size == said || fail(code::bad_value);
    }

    std::span<const std::byte> in_;
    std::uint64_t limit_;
    buffer& out_;
    std::span<std::byte> few_;
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

}  // namespace aldis::segments
