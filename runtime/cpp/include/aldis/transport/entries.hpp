// The entries of a BATCH or PUSH: `size u32, bytes`, one behind the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "bytes.hpp"

namespace aldis::transport {

inline constexpr std::size_t entry_head = 4;

// Bytes that hold exactly so many entries: `check` first, then walk them as a range.
class entry_range {
public:
    class iterator {
    public:
        using value_type = bytes_view;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::forward_iterator_tag;
        using pointer = const bytes_view*;
        using reference = bytes_view;

        iterator() = default;
        explicit iterator(const std::byte* at) : at_(at) {}
        bytes_view operator*() const { return {at_ + entry_head, load<std::uint32_t>(at_)}; }
        iterator& operator++() {
            at_ += entry_head + load<std::uint32_t>(at_);
            return *this;
        }
        iterator operator++(int) {
            const iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const iterator&, const iterator&) = default;

    private:
        const std::byte* at_ = nullptr;
    };

    entry_range() = default;
    // `bytes` must have passed `check`.
    explicit entry_range(bytes_view bytes) : bytes_(bytes) {}

    iterator begin() const { return iterator(bytes_.data()); }
    iterator end() const { return iterator(bytes_.data() + bytes_.size()); }
    bytes_view bytes() const { return bytes_; }

    // Whether `bytes` are `count` entries and nothing else.
    static bool check(bytes_view bytes, std::uint32_t count) {
        for (; count > 0; --count) {
            if (bytes.size() < entry_head) {
                return false;
            }
            const std::uint32_t size = load<std::uint32_t>(bytes.data());
            if (bytes.size() - entry_head < size) {
                return false;
            }
            bytes = bytes.subspan(entry_head + size);
        }
        return bytes.empty();
    }

private:
    bytes_view bytes_;
};

}  // namespace aldis::transport
