// Numbers of JSON text.
#include <gtest/gtest.h>

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

}  // namespace
