// Timestamps of messages and times of the standard library. No other header includes this one, since `<chrono>` takes longer to
// compile than a message.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace aldis {

/// A time of the system's clock, to the nanosecond.
using time_point = std::chrono::sys_time<std::chrono::nanoseconds>;

/// The time that a timestamp, nanoseconds since 1970, stands for; none after April 2262, where `aldis::time_point` ends.
[[nodiscard]] constexpr std::optional<time_point> to_time(std::uint64_t timestamp) noexcept {
    if (timestamp > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return std::nullopt;
    }
    return time_point(std::chrono::nanoseconds(static_cast<std::int64_t>(timestamp)));
}

/// The timestamp of a time; none before 1970.
[[nodiscard]] constexpr std::optional<std::uint64_t> to_timestamp(time_point when) noexcept {
    const auto since = when.time_since_epoch().count();
    return since < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(since));
}

}  // namespace aldis
