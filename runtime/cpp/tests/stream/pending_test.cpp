// Requests that wait for answers, and until when.
#include <gtest/gtest.h>

#include <aldis/pending.hpp>
#include <string>

namespace {

using namespace std::chrono_literals;
using table = aldis::pending_table<int, std::string>;

constexpr aldis::time_point start{};

TEST(pending_table, gives_what_waits_once) {
    table waiting;
    EXPECT_TRUE(waiting.add(1, start + 5s, "one"));
    EXPECT_TRUE(waiting.add(2, start + 3s, "two"));
    EXPECT_FALSE(waiting.add(1, start + 9s, "another"));
    EXPECT_EQ(*waiting.find(1), "one");
    EXPECT_EQ(waiting.find(3), nullptr);
    EXPECT_EQ(waiting.earliest(), start + 3s);
    EXPECT_EQ(waiting.take(2), "two");
    EXPECT_EQ(waiting.take(2), std::nullopt);
    EXPECT_EQ(waiting.earliest(), start + 5s);
    EXPECT_EQ(waiting.size(), 1U);
    EXPECT_TRUE(waiting.add(2, start + 3s, "again"));
}

TEST(pending_table, gives_what_is_late_in_the_order_of_deadlines) {
    table waiting;
    for (const int key : {4, 2, 3, 1}) {
        waiting.add(key, start + std::chrono::seconds(key), std::to_string(key));
    }
    waiting.add(9, aldis::time_point::max(), "whenever");
    EXPECT_TRUE(waiting.take_late(start).empty());
    EXPECT_EQ(waiting.take_late(start + 2s), (std::vector<std::string>{"1", "2"}));
    EXPECT_EQ(waiting.earliest(), start + 3s);
    EXPECT_EQ(waiting.take_all(), (std::vector<std::string>{"3", "4", "whenever"}));
    EXPECT_EQ(waiting.earliest(), aldis::time_point::max());
}

}  // namespace
