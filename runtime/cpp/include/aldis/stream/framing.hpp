// How messages lie in a stream of bytes: what says where each one ends.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "../bytes.hpp"
#include "error.hpp"

namespace aldis {

/// The segments that a message of Cap'n Proto has at most.
inline constexpr std::uint32_t most_segments = 511;

/// The head of the frame that the bytes begin with.
struct frame_head {
    enum class state : std::uint8_t {
        /// There must be `size` bytes before more can be said.
        more,
        /// The frame takes `size` bytes.
        known,
        /// It cannot be a frame: `fault`, with `size`, `bound` and `packing` as in `stream_error`.
        broken,
    };

    state is = state::more;
    std::uint64_t size = 0;
    stream_code fault = stream_code::frame_too_small;
    std::uint64_t bound = 0;
    code packing = code::none;

    static constexpr frame_head more(std::uint64_t size) noexcept { return {.size = size}; }
    static constexpr frame_head known(std::uint64_t size) noexcept { return {.is = state::known, .size = size}; }
    static constexpr frame_head broken(stream_code fault, std::uint64_t size, std::uint64_t bound) noexcept {
        return {.is = state::broken, .size = size, .fault = fault, .bound = bound};
    }
    static constexpr frame_head bad_packing(code why) noexcept {
        return {.is = state::broken, .fault = stream_code::bad_packing, .packing = why};
    }
};

/// Bytes of the table of segments of a message that has so many.
constexpr std::uint64_t segment_table_size(std::uint64_t segments) noexcept { return (segments / 2 + 1) * 8; }

/// Words of all segments, going by the table.
inline std::uint64_t segment_words(const std::byte* table, std::uint64_t segments) noexcept {
    std::uint64_t words = 0;
    for (std::uint64_t segment = 1; segment <= segments; ++segment) {
        words += load<std::uint32_t, little>(table + segment * 4);
    }
    return words;
}

/// How messages lie in a stream.
class framing {
public:
    /// A length before each message, not counting itself.
    static const framing u16le;
    static const framing u16be;
    static const framing u32le;
    static const framing u32be;
    /// The FIX Simple Open Framing Header: a 32-bit big-endian length that counts the header, and an encoding type, which
    /// receivers do not look at. Senders write that of SBE 1.0, little endian.
    static const framing sofh;
    /// The same with the encoding type of SBE 1.0, big endian.
    static const framing sofh_big;
    /// Each message begins with its own length, as 32 bits.
    static const framing fbe;
    /// Each message begins with the table of its segments.
    static const framing capnp;
    /// The same, packed. The limit is of the unpacked message.
    static const framing capnp_packed;

    /// Each message holds its own length as an integer of type `Length` at byte `at`, never less than `least`.
    template <std::unsigned_integral Length>
    static constexpr framing length(std::uint32_t at, std::endian order, std::uint32_t least) noexcept {
        constexpr auto width = static_cast<std::uint32_t>(sizeof(Length));
        return {kind::length, at, width, order, 0, 0, std::max(least, at + width)};
    }

    /// Whether only unpacking tells where a message ends.
    [[nodiscard]] constexpr bool packed() const noexcept { return kind_ == kind::packed; }

    /// Bytes of a frame in front of its message.
    [[nodiscard]] constexpr std::size_t skip() const noexcept { return skip_; }

    /// The head of the frame that the bytes begin with. Not for `packed` ones, which `packed_walk` is for.
    [[nodiscard]] frame_head look(std::span<const std::byte> in) const noexcept {
        if (kind_ == kind::segments) {
            return look_at_table(in);
        }
        const std::uint64_t needed = std::max(at_ + width_, skip_);
        if (in.size() < needed) {
            return frame_head::more(needed);
        }
        const std::uint64_t size = number(in.data() + at_) + added_;
        if (size < least_) {
            return frame_head::broken(stream_code::frame_too_small, size, least_);
        }
        return frame_head::known(size);
    }

    /// Bytes of the longest message that a frame can hold.
    [[nodiscard]] constexpr std::uint64_t longest() const noexcept {
        if (skip_ == 0) {
            return std::numeric_limits<std::uint64_t>::max();
        }
        const std::uint64_t most = width_ == 2 ? 0xFFFF : 0xFFFF'FFFF;
        return most - (skip_ - added_);
    }

    /// Writes the `skip()` bytes that stand in front of a message of that size, `longest()` at most.
    void write(std::byte* at, std::size_t size) const noexcept {
        if (skip_ == 0) {
            return;
        }
        const std::uint64_t said = size + skip_ - added_;
        if (width_ == 2) {
            store_as<std::uint16_t>(at, said);
        } else {
            store_as<std::uint32_t>(at, said);
        }
        if (kind_ == kind::header) {
            store<big>(at + 4, encoding_type_);
        }
    }

private:
    enum class kind : std::uint8_t { length, header, segments, packed };

    constexpr framing(kind how, std::uint32_t at, std::uint32_t width, std::endian order, std::uint32_t skip,
                      std::uint32_t added, std::uint32_t least, std::uint16_t encoding_type = 0) noexcept
        : at_(at), width_(width), skip_(skip), added_(added), least_(least), encoding_type_(encoding_type), kind_(how),
          order_(order) {}

    static constexpr framing prefix(std::uint32_t width, std::endian order) noexcept {
        return {kind::length, 0, width, order, width, width, width};
    }
    static constexpr framing header(std::uint16_t encoding_type) noexcept {
        return {kind::header, 0, 4, big, 6, 0, 6, encoding_type};
    }
    static constexpr framing table(kind how) noexcept { return {how, 0, 4, little, 0, 0, 8}; }

    template <class Length>
    [[nodiscard]] std::uint64_t load_as(const std::byte* at) const noexcept {
        return order_ == little ? load<Length, little>(at) : load<Length, big>(at);
    }
    template <class Length>
    void store_as(std::byte* at, std::uint64_t value) const noexcept {
        const auto length = static_cast<Length>(value);
        order_ == little ? store<little>(at, length) : store<big>(at, length);
    }

    [[nodiscard]] std::uint64_t number(const std::byte* at) const noexcept {
        switch (width_) {
            case 1: return load_as<std::uint8_t>(at);
            case 2: return load_as<std::uint16_t>(at);
            case 4: return load_as<std::uint32_t>(at);
            default: return load_as<std::uint64_t>(at);
        }
    }

    /// The table: how many segments less one, the words of each, zeros up to a whole word.
    static frame_head look_at_table(std::span<const std::byte> in) noexcept {
        if (in.size() < 4) {
            return frame_head::more(4);
        }
        const std::uint64_t segments = std::uint64_t{load<std::uint32_t, little>(in.data())} + 1;
        if (segments > most_segments) {
            return frame_head::broken(stream_code::too_many_segments, segments, most_segments);
        }
        const std::uint64_t table = segment_table_size(segments);
        if (in.size() < table) {
            return frame_head::more(table);
        }
        return frame_head::known(table + segment_words(in.data(), segments) * 8);
    }

    /// The place and the width of the length.
    std::uint32_t at_;
    std::uint32_t width_;
    /// Bytes in front of the message, and how many of them the length does not count.
    std::uint32_t skip_;
    std::uint32_t added_;
    /// The least size of a frame.
    std::uint32_t least_;
    std::uint16_t encoding_type_;
    kind kind_;
    std::endian order_;
};

inline constexpr framing framing::u16le = framing::prefix(2, little);
inline constexpr framing framing::u16be = framing::prefix(2, big);
inline constexpr framing framing::u32le = framing::prefix(4, little);
inline constexpr framing framing::u32be = framing::prefix(4, big);
inline constexpr framing framing::sofh = framing::header(0xEB50);
inline constexpr framing framing::sofh_big = framing::header(0x5BE0);
inline constexpr framing framing::fbe = framing::length<std::uint32_t>(0, little, 8);
inline constexpr framing framing::capnp = framing::table(framing::kind::segments);
inline constexpr framing framing::capnp_packed = framing::table(framing::kind::packed);

}  // namespace aldis
