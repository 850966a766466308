#include <aldis/transport/outbox.hpp>
#include <gtest/gtest.h>

#include <random>

using namespace aldis::transport;

namespace {

constexpr credit_window endless{UINT32_MAX, UINT32_MAX};
constexpr std::size_t big = 1U << 20;

TEST(message_outbox, gives_closed_chunks_in_order_and_forgets_what_is_acked) {
    message_outbox outbox(20);
    for (std::uint64_t i = 1; i <= 5; ++i) {
        EXPECT_EQ(outbox.append(bytes_of("abcd")), i);
    }
    auto first = outbox.next(endless, big);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->first, 1U);
    EXPECT_EQ(first->count, 3U);
    EXPECT_FALSE(outbox.next(endless, big)) << "two messages linger";
    outbox.close_chunk();
    EXPECT_EQ(outbox.next(endless, big)->first, 4U);
    outbox.ack(4);
    EXPECT_EQ(outbox.kept_bytes(), 8U);
    EXPECT_TRUE(entry_range::check(first->entries, 3)) << "what is being written outlives its ack";
    outbox.rewind(1);
    EXPECT_EQ(outbox.next(endless, big)->first, 5U);
}

TEST(message_outbox, splits_a_chunk_where_credit_or_a_frame_ends) {
    message_outbox outbox(1000);
    for (int i = 0; i < 10; ++i) {
        outbox.append(bytes_of("abcd"));
    }
    outbox.close_chunk();
    EXPECT_EQ(outbox.next({3, 1000}, big)->count, 3U);
    EXPECT_FALSE(outbox.next({3, 1000}, big));
    outbox.ack(1);
    EXPECT_EQ(outbox.next({3, 1000}, big)->count, 1U);
    outbox.ack(4);
    EXPECT_EQ(outbox.next({100, 20}, big)->count, 2U);
    outbox.ack(5);
    EXPECT_EQ(outbox.next({100, 20}, big)->first, 7U);
    EXPECT_EQ(outbox.next({100, 1000}, 8)->count, 1U);
}

TEST(message_outbox, sends_a_message_beyond_all_credit_when_nothing_is_outstanding) {
    message_outbox outbox(10);
    outbox.append(bytes_of("a long message"));
    outbox.append(bytes_of("another"));
    outbox.close_chunk();
    EXPECT_EQ(outbox.next({1, 5}, big)->first, 1U);
    EXPECT_FALSE(outbox.next({1, 5}, big));
    outbox.ack(1);
    EXPECT_EQ(outbox.next({0, 0}, big)->first, 2U);
}

TEST(message_outbox, uses_memory_again_and_gives_it_back) {
    message_outbox outbox(1000);
    const auto fill = [&](int messages, std::size_t size) {
        for (int i = 0; i < messages; ++i) {
            outbox.append(byte_vector(size));
        }
        outbox.close_chunk();
        while (outbox.next(endless, big)) {
        }
        outbox.ack(outbox.appended());
    };
    fill(100, 996);
    const std::size_t spare = outbox.spare_bytes();
    EXPECT_GE(spare, 50'000U);
    fill(100, 996);
    EXPECT_EQ(outbox.spare_bytes(), spare) << "the buffers of before were used";
    // One large message at a time makes buffers larger, but no more of them.
    for (int i = 0; i < 100; ++i) {
        fill(1, 50'000);
    }
    EXPECT_LE(outbox.spare_bytes(), 116'000U) << "what was kept at once, and sixteen batches";
    outbox.give_back();
    EXPECT_EQ(outbox.spare_bytes(), 0U);
    // The large one that was open is too much for what is needed now.
    fill(1, 10);
    EXPECT_EQ(outbox.spare_bytes(), 0U);
    fill(1, 10);
    EXPECT_GT(outbox.spare_bytes(), 0U);
}

// Against a list: random sizes, credits, acks within chunks, and rewinds.
TEST(message_outbox, agrees_with_a_plain_list) {
    std::mt19937 random(11);
    for (int round = 0; round < 200; ++round) {
        message_outbox outbox(1 + random() % 200);
        std::vector<std::string> all;
        std::uint64_t sent = 0;
        std::uint64_t acked = 0;
        for (int step = 0; step < 300; ++step) {
            switch (random() % 5) {
                case 0:
                case 1:
                    all.push_back(std::string(random() % 30, static_cast<char>('a' + random() % 26)));
                    outbox.append(bytes_of(all.back()));
                    break;
                case 2: outbox.close_chunk(); break;
                case 3: {
                    const auto out = outbox.next(
                        {1U + static_cast<unsigned>(random() % 20), 50U + static_cast<unsigned>(random() % 300)}, 100);
                    if (!out) {
                        break;
                    }
                    ASSERT_EQ(out->first, sent + 1);
                    ASSERT_TRUE(entry_range::check(out->entries, out->count));
                    for (const bytes_view entry : entry_range(out->entries)) {
                        ASSERT_EQ(text_of(entry), all[sent++]);
                    }
                    break;
                }
                default:
                    if (random() % 4 == 0) {
                        sent = std::min(sent, acked + random() % (sent - acked + 1));
                        outbox.rewind(sent + 1);
                    } else {
                        acked += random() % (sent - acked + 1);
                        outbox.ack(acked);
                    }
                    ASSERT_EQ(outbox.sent(), sent);
                    ASSERT_EQ(outbox.acked(), acked);
            }
            std::size_t kept = 0;
            for (std::size_t i = acked; i < all.size(); ++i) {
                kept += entry_head + all[i].size();
            }
            ASSERT_EQ(outbox.kept_bytes(), kept);
        }
    }
}

}  // namespace
