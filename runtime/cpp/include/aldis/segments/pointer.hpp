// Messages of segments: words of 8 bytes, objects in them, pointers between these. (Cap'n Proto encoding specification,
// "Messages" and "Pointers".) What pointers say, and where segments are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../bytes.hpp"

namespace aldis::segments {

inline constexpr std::size_t word_size = 8;

/// More segments than this are refused.
inline constexpr std::size_t max_segments = 511;

/// More words a segment and more elements a list cannot have: their counts take 29 bits.
inline constexpr std::uint64_t max_count = (std::uint64_t{1} << 29) - 1;

/// How the segments lie in a message's bytes.
struct form {
    /// A table of their sizes stands in front; without it the bytes are one segment.
    bool table = true;
    /// Zero bytes are squeezed out.
    bool packed = false;
    /// Writers leave out zeros at the end of sections.
    bool canonical = false;
};

inline constexpr form framed{};
inline constexpr form packed{true, true, false};
inline constexpr form canonical{false, false, true};

/// One segment: a whole number of words.
struct segment {
    const std::byte* begin = nullptr;
    std::size_t size = 0;
};

/// A pointer that is to be followed, and the segment that it is in.
struct place {
    const std::byte* at;
    const segment* in;
};

enum class kind : std::uint8_t { record = 0, list = 1, far = 2, other = 3 };

/// The codes of list elements' sizes.
enum class element_size : std::uint8_t { none = 0, bit = 1, byte = 2, two = 3, four = 4, eight = 5, pointer = 6, record = 7 };

/// Bits of an element, but for records.
[[nodiscard]] constexpr std::uint64_t bits_of(element_size size) noexcept {
    constexpr std::uint8_t bits[] = {0, 1, 8, 16, 32, 64, 64, 0};
    return bits[static_cast<std::size_t>(size)];
}

/// The bits of a pointer.
struct word {
    std::uint64_t bits = 0;

    [[nodiscard]] segments::kind kind() const noexcept { return static_cast<segments::kind>(bits & 3); }
    [[nodiscard]] bool is_null() const noexcept { return bits == 0; }

    /// Bytes from the end of a record or list pointer to what it leads to.
    [[nodiscard]] std::int64_t offset() const noexcept {
        return std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)) >> 2} * 8;
    }

    /// Words of a record's data, and its pointers.
    [[nodiscard]] std::uint32_t data() const noexcept { return static_cast<std::uint16_t>(bits >> 32); }
    [[nodiscard]] std::uint32_t pointers() const noexcept { return static_cast<std::uint16_t>(bits >> 48); }
    /// The elements of a list of records, by the tag in front of them; the topmost bit does not count.
    [[nodiscard]] std::uint32_t elements() const noexcept {
        return (static_cast<std::uint32_t>(bits) >> 2) & static_cast<std::uint32_t>(max_count);
    }

    [[nodiscard]] segments::element_size element_size() const noexcept {
        return static_cast<segments::element_size>(bits >> 32 & 7);
    }
    /// Elements of a list; words after the tag for one of records.
    [[nodiscard]] std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(bits >> 35); }

    /// The parts of a far pointer: whether its landing pad leads on, the pad's byte in its segment, and that segment.
    [[nodiscard]] bool is_double() const noexcept { return (bits & 4) != 0; }
    [[nodiscard]] std::uint64_t pad() const noexcept { return (static_cast<std::uint32_t>(bits) >> 3) * word_size; }
    [[nodiscard]] std::uint32_t segment() const noexcept { return static_cast<std::uint32_t>(bits >> 32); }

    [[nodiscard]] bool is_capability() const noexcept { return static_cast<std::uint32_t>(bits) == 3; }
};

[[nodiscard]] inline word load_word(const std::byte* at) noexcept { return {load<std::uint64_t, little>(at)}; }
inline void store_word(std::byte* at, std::uint64_t bits) noexcept { store<little>(at, bits); }

/// A record pointer; `distance` is in words from the pointer's end.
[[nodiscard]] constexpr std::uint64_t record_word(std::int64_t distance, std::uint64_t data,
                                                  std::uint64_t pointers) noexcept {
    return static_cast<std::uint32_t>(distance * 4) | data << 32 | pointers << 48;
}

[[nodiscard]] constexpr std::uint64_t list_word(std::int64_t distance, element_size size, std::uint64_t count) noexcept {
    return static_cast<std::uint32_t>(distance * 4) | 1U | std::uint64_t{static_cast<std::uint8_t>(size)} << 32 |
           count << 35;
}

/// The tag in front of the elements of a list of records.
[[nodiscard]] constexpr std::uint64_t tag_word(std::uint64_t count, std::uint64_t data, std::uint64_t pointers) noexcept {
    return count << 2 | data << 32 | pointers << 48;
}

/// The words that so many bytes take.
[[nodiscard]] constexpr std::uint64_t words_for(std::uint64_t bytes) noexcept { return (bytes + 7) / 8; }

/// A record's sections, or an element of a list that is read as one.
struct body {
    const std::byte* data;
    const std::byte* pointers;
    const segment* in;
    /// Bytes; not always whole words, where a list of numbers is read as one of records.
    std::uint32_t data_size;
    std::uint32_t pointer_count;

    /// The pointer of that index: a null one beyond the section.
    [[nodiscard]] place pointer(std::uint32_t index) const noexcept {
        static constexpr std::byte null[word_size]{};
        return {index < pointer_count ? pointers + index * word_size : null, in};
    }
};

/// A record without sections: all of its fields have their defaults.
inline constexpr body nothing{nullptr, nullptr, nullptr, 0, 0};

/// The first `Size` bytes of a data section, whole words; zero where it ends before.
template <std::size_t Size>
class data_of {
public:
    explicit data_of(const body& from) noexcept : at_(from.data) {
        if (from.data_size < Size) [[unlikely]] {
            std::memset(whole_, 0, Size);
            if (from.data_size > 0) {
                std::memcpy(whole_, from.data, from.data_size);
            }
            at_ = whole_;
            first_ = from.data_size < word_size ? from.data_size : static_cast<std::uint32_t>(word_size);
        }
    }
    data_of(const data_of&) = delete;
    data_of& operator=(const data_of&) = delete;

    /// A number, an enum or a tag at a byte; stored as it differs from `meant` for zero.
    template <class T>
    [[nodiscard]] T get(std::size_t at, T meant = T{}) const noexcept {
        using bits = detail::bits_of<T>;
        // A number whose bytes are there in part has its default: 2 of the 4 bytes of a `uint32` mean nothing. Only the
        // number at the front can be one.
        if (at == 0 && sizeof(T) > first_) [[unlikely]] {
            return meant;
        }
        return std::bit_cast<T>(static_cast<bits>(load<bits, little>(at_ + at) ^ std::bit_cast<bits>(meant)));
    }
    [[nodiscard]] bool bit(std::size_t at, unsigned bit, bool meant = false) const noexcept {
        return (static_cast<unsigned>(at_[at]) >> bit & 1U) != static_cast<unsigned>(meant);
    }

private:
    const std::byte* at_;
    /// Bytes of the first word that are there: fewer where a list of numbers is read as one of records.
    std::uint32_t first_ = word_size;
    std::byte whole_[Size];
};

}  // namespace aldis::segments
