// The entries of a BATCH or PUSH: `size u32, bytes`, one behind the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "bytes.hpp"

namespace aldis::transport {

inline constexpr std::size_t entry_head = 4;

// Bytes that hold exactly so many entries: `check` first, then walk them as a range.
class Entries {
public:
    class Iterator {
    public:
        using value_type = Bytes;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::forward_iterator_tag;
        using pointer = const Bytes*;
        using reference = Bytes;

        Iterator() = default;
        explicit Iterator(const std::byte* at) : at_(at) {}
        Bytes operator*() const { return {at_ + entry_head, load<std::uint32_t>(at_)}; }
        Iterator& operator++() {
            at_ += entry_head + load<std::uint32_t>(at_);
            return *this;
        }
        Iterator operator++(int) {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const Iterator&, const Iterator&) = default;

    private:
        const std::byte* at_ = nullptr;
    };

    Entries() = default;
    // `bytes` must have passed `check`.
    explicit Entries(Bytes bytes) : bytes_(bytes) {}

    Iterator begin() const { return Iterator(bytes_.data()); }
    Iterator end() const { return Iterator(bytes_.data() + bytes_.size()); }
    Bytes bytes() const { return bytes_; }

    // Whether `bytes` are `count` entries and nothing else.
    static bool check(Bytes bytes, std::uint32_t count) {
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
    Bytes bytes_;
};

}  // namespace aldis::transport
