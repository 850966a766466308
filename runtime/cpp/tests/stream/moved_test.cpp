// An object that was moved from is empty and may be used again; a view is not made of a temporary.
#include <gtest/gtest.h>

#include <aldis/choice.hpp>
#include <aldis/pmr.hpp>
#include <aldis/stream.hpp>
#include <aldis/stream/requests.hpp>
#include <aldis/writer.hpp>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace std::string_view_literals;
using aldis::framing;

TEST(moved, buffer_is_empty_and_grows_again) {
    aldis::buffer first;
    first.prepare(64)[63] = std::byte{1};
    aldis::buffer second = std::move(first);
    EXPECT_EQ(first.bytes().size() + first.capacity(), 0U);
    EXPECT_EQ(second.bytes().size(), 64U);

    // Without memory of its own what is written here would be written nowhere.
    first.prepare(8)[7] = std::byte{2};
    first.extend(16)[15] = std::byte{3};
    EXPECT_EQ(first.bytes()[7], std::byte{2});

    second = std::move(first);
    EXPECT_EQ(second.bytes()[15], std::byte{3});
    EXPECT_EQ(first.capacity(), 0U);
    aldis::buffer& same = second;
    second = std::move(same);
    EXPECT_EQ(second.bytes()[15], std::byte{3});
}

TEST(moved, sender_is_as_it_was_when_it_was_made) {
    aldis::frame_sender first(framing::u32le);
    EXPECT_TRUE(first.send(aldis::bytes_of("one"sv)));
    aldis::frame_sender second = std::move(first);
    EXPECT_EQ(second.bytes().size(), 7U);
    EXPECT_TRUE(first.bytes().empty());
    EXPECT_EQ(first.offset(), 0U);
    EXPECT_TRUE(first.send(aldis::bytes_of("four"sv)));
    EXPECT_EQ(first.bytes().size(), 8U);
    second = std::move(first);
    EXPECT_EQ(second.bytes().size(), 8U);
    EXPECT_TRUE(first.send(aldis::bytes_of("x"sv)));
}

TEST(moved, receiver_is_as_it_was_when_it_was_made) {
    std::vector<std::string> got;
    const auto take = [&got](aldis::bytes_view message) { got.emplace_back(aldis::text_of(message)); };
    aldis::frame_receiver first(framing::u32le);
    EXPECT_TRUE(first.feed(aldis::bytes_of("\3\0\0\0on"sv), take));
    aldis::frame_receiver second = std::move(first);
    EXPECT_TRUE(first.rest().empty());
    EXPECT_TRUE(first.feed(aldis::bytes_of("\1\0\0\0x"sv), take));
    EXPECT_TRUE(second.feed(aldis::bytes_of("e"sv), take));
    EXPECT_EQ(got, (std::vector<std::string>{"x", "one"}));
    EXPECT_EQ(second.offset(), 7U);

    // A copy goes on where the first one was; a broken stream is left behind by what is moved.
    aldis::frame_receiver copied = second;
    EXPECT_EQ(copied.offset(), 7U);
    second.end({aldis::stream_code::bad_message, 7, 0, 0, {}});
    copied = std::move(second);
    EXPECT_FALSE(copied.feed({}, take));
    EXPECT_TRUE(second.feed({}, take));
}

TEST(moved, packed_receiver_looks_for_a_message_from_its_begin) {
    const auto packed = "\x10\5\0\0"sv;
    std::size_t messages = 0;
    const auto count = [&messages](aldis::bytes_view) { ++messages; };
    aldis::frame_receiver first(framing::capnp_packed);
    EXPECT_TRUE(first.feed(aldis::bytes_of(packed.substr(0, 1)), count));
    aldis::frame_receiver second = std::move(first);
    EXPECT_TRUE(second.feed(aldis::bytes_of(packed.substr(1, 1)), count));
    EXPECT_TRUE(first.feed(aldis::bytes_of("\0\0\0"sv), count));
    EXPECT_EQ(messages, 1U);
}

TEST(moved, table_of_what_waits_is_empty) {
    aldis::pending_table<int, std::string> first;
    const aldis::time_point then{};
    EXPECT_TRUE(first.add(1, then, "one"));
    auto second = std::move(first);
    EXPECT_EQ(first.size(), 0U);
    EXPECT_EQ(first.earliest(), aldis::time_point::max());
    EXPECT_TRUE(first.add(1, then, "another"));
    EXPECT_EQ(second.take(1), "one");
    second = std::move(first);
    EXPECT_EQ(second.take_all(), std::vector<std::string>{"another"});
    EXPECT_TRUE(first.add(2, then, "two"));
}

// ---- temporaries ----------------------------------------------------------------------------------------------------

template <class T>
concept shows_bytes = requires(T&& from) { std::forward<T>(from).bytes(); };
template <class T>
concept shows_rest = requires(T&& from) { std::forward<T>(from).rest(); };
template <class T>
concept prepares = requires(T&& from) { std::forward<T>(from).prepare(1); };
template <class T>
concept shows_arm = requires(T&& from) { std::forward<T>(from).template get<1>(); };

static_assert(shows_bytes<aldis::buffer&> && shows_bytes<const aldis::buffer&> && !shows_bytes<aldis::buffer>);
static_assert(prepares<aldis::buffer&> && !prepares<aldis::buffer>);
static_assert(shows_bytes<aldis::frame_sender&> && !shows_bytes<aldis::frame_sender>);
static_assert(shows_rest<const aldis::frame_receiver&> && !shows_rest<aldis::frame_receiver>);

using one_of_two = aldis::choice<int, aldis::arm<0, int>, aldis::arm<1, std::string>>;
using one_of_two_pmr = aldis::pmr::choice<int, aldis::arm<0, int>, aldis::arm<1, std::string>>;
static_assert(shows_arm<one_of_two&> && shows_arm<const one_of_two&> && !shows_arm<one_of_two>);
static_assert(shows_arm<one_of_two_pmr&> && shows_arm<const one_of_two_pmr&> && !shows_arm<const one_of_two_pmr>);

static_assert(aldis::owning_temporary<std::vector<std::byte>> && aldis::owning_temporary<std::array<std::byte, 4>>);
static_assert(!aldis::owning_temporary<std::vector<std::byte>&> && !aldis::owning_temporary<aldis::bytes_view>);

}  // namespace
