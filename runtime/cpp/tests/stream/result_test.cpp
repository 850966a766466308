// The results of functions that can fail, copied and moved.
#include <gtest/gtest.h>

#include <aldis/result.hpp>
#include <aldis/stream/error.hpp>
#include <aldis/transport/result.hpp>
#include <aldis/writer.hpp>
#include <memory>
#include <string>
#include <type_traits>

namespace {

using result = aldis::result<std::string>;

result broken() { return aldis::error{aldis::code::bad_text, 3, "name"}; }

TEST(result, keeps_having_a_fault_when_it_is_moved_from) {
    result first = broken();
    const result second = std::move(first);
    EXPECT_FALSE(first.ok());
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(to_string(second.error()), "bad-text at byte 3 in name");

    aldis::result<void> nothing = aldis::error{aldis::code::truncated, 0, {}};
    const aldis::result<void> moved = std::move(nothing);
    EXPECT_FALSE(nothing.ok() || moved.ok());
}

TEST(result, is_assigned_as_its_value_is) {
    const result good = std::string("value");
    result other = broken();
    other = good;
    EXPECT_TRUE(other.ok());
    EXPECT_EQ(*other, "value");
    other = broken();
    EXPECT_FALSE(other.ok());
    const result& same = other;
    other = same;
    EXPECT_EQ(other.error().path, "name");

    static_assert(std::is_nothrow_move_constructible_v<result> && std::is_copy_assignable_v<result>);
    using owner = aldis::result<std::unique_ptr<int>>;
    static_assert(std::is_move_assignable_v<owner> && !std::is_copy_constructible_v<owner>);
}

TEST(result, has_an_error_without_a_fault_where_it_is_a_success) {
    const result good = std::string("value");
    EXPECT_EQ(good.error().what, aldis::code::none);
    EXPECT_EQ(to_string(good.error()), "none");
    EXPECT_EQ(aldis::result<void>().error(), aldis::error());
    EXPECT_EQ(to_string(aldis::stream_result<void>().error()), "none at byte 0 of the stream");
    EXPECT_EQ(aldis::transport::result<int>(1).error(), aldis::transport::error());

    aldis::limits most;
    EXPECT_EQ(aldis::sizer(most).fault().what, aldis::code::none);
}

TEST(result, gives_the_error_of_a_temporary_as_a_value) {
    static_assert(std::is_same_v<decltype(broken().error()), aldis::error>);
    const auto& fault = broken().error();
    EXPECT_EQ(fault.path, "name");
}

}  // namespace
