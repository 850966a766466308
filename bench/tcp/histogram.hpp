// Latencies in buckets no wider than 1/64 of their value.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace loader {

class Histogram {
public:
    // `count` messages took `nanoseconds` each.
    void add(std::uint64_t nanoseconds, std::uint64_t count) {
        counts_[bucket(nanoseconds)] += count;
        total_ += count;
        max_ = std::max(max_, nanoseconds);
    }

    std::uint64_t max() const { return max_; }

    // The latency that `share` (0 to 1) of all messages do not exceed; the upper end of its bucket.
    std::uint64_t quantile(double share) const {
        const auto rank = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(total_)));
        std::uint64_t seen = 0;
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            seen += counts_[i];
            if (seen >= rank && seen > 0) {
                return std::min(upper(i), max_);
            }
        }
        return max_;
    }

private:
    static constexpr unsigned steps_bits = 6;
    static constexpr std::size_t steps = std::size_t{1} << steps_bits;

    // Values below `steps` have a bucket each, then every doubling has `steps` of them.
    static std::size_t bucket(std::uint64_t value) {
        if (value < steps) {
            return static_cast<std::size_t>(value);
        }
        const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - 1 - steps_bits;
        return (shift + 1) * steps + (static_cast<std::size_t>(value >> shift) - steps);
    }

    static std::uint64_t upper(std::size_t index) {
        if (index < steps) {
            return index;
        }
        const std::size_t shift = index / steps - 1;
        return ((std::uint64_t{index % steps} + steps + 1) << shift) - 1;
    }

    std::array<std::uint64_t, 60 * steps> counts_{};
    std::uint64_t total_ = 0;
    std::uint64_t max_ = 0;
};

}  // namespace loader
