// Numbers of JSON text, and timestamps.
#include <gtest/gtest.h>

#include <aldis/chrono.hpp>
#include <aldis/json/tokens.hpp>

namespace {

using aldis::json::detail::magnitude;

TEST(numbers, have_integers_in_every_notation) {
    EXPECT_EQ(magnitude("12e3"), 12000U);
    EXPECT_EQ(magnitude("1.50e1"), 15U);
    EXPECT_EQ(magnitude("18446744073709551615"), 18446744073709551615U);
    EXPECT_EQ(magnitude("18446744073709551616"), std::nullopt);
}

TEST(numbers, may_have_exponents_beside_which_digits_overflow) {
    EXPECT_EQ(magnitude("100e9223372036854775807"), std::nullopt);
    EXPECT_EQ(magnitude("0.01e-9223372036854775808"), std::nullopt);
    EXPECT_EQ(magnitude("0.0e9223372036854775807"), 0U);
    EXPECT_EQ(magnitude("1e99999999999999999999"), std::nullopt);
}

TEST(timestamps, are_times_of_the_standard_library) {
    using namespace std::chrono;
    constexpr std::uint64_t day = 86'400'000'000'000;
    static_assert(aldis::to_time(day) == sys_days(1970y / January / 2));
    static_assert(aldis::to_timestamp(sys_days(1970y / January / 2)) == day);
    EXPECT_EQ(aldis::to_time(0x7FFF'FFFF'FFFF'FFFF), aldis::time_point::max());
    EXPECT_EQ(aldis::to_time(0x8000'0000'0000'0000), std::nullopt);
    EXPECT_EQ(aldis::to_timestamp(sys_days(1969y / December / 31)), std::nullopt);
}

}  // namespace
