// `send` without the client's lock: order, batches and their ends.
#include <aldis/transport/batch.hpp>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>

#include "fake_server.hpp"

namespace {

using namespace fake;

// The messages that a peer reads until it has `wanted`, all of which it acks.
std::vector<std::string> read_all(Peer& peer, std::size_t wanted) {
    std::vector<std::string> all;
    while (all.size() < wanted) {
        const auto got = peer.maybe_read();
        if (!got) {
            break;
        }
        const auto batch = got->as<batch_frame>();
        EXPECT_EQ(batch.first, all.size() + 1);
        for (std::string& text : texts(batch.entries)) {
            all.push_back(std::move(text));
        }
        peer.ack(all.size());
    }
    return all;
}

TEST(message_front, gives_sequences_while_it_is_open) {
    message_front front;
    EXPECT_FALSE(front.add(bytes_of("a"))) << "it was not opened";
    front.open(7, 20, 8);
    EXPECT_EQ(front.add(bytes_of("abc")), 8U);
    EXPECT_FALSE(front.add(bytes_of("123456789"))) << "it is too long";
    EXPECT_EQ(front.add(bytes_of("12345678")), 9U);
    EXPECT_FALSE(front.add(bytes_of(""))) << "a byte is left, and an entry needs four";
    std::vector<std::string> taken;
    front.take([&](bytes_view entries, std::uint32_t count) {
        EXPECT_EQ(count, 2U);
        taken = texts(entries);
    });
    EXPECT_EQ(taken, (std::vector<std::string>{"abc", "12345678"}));
    EXPECT_FALSE(front.add(bytes_of("a"))) << "it was taken";
    front.take([](bytes_view, std::uint32_t) { ADD_FAILURE() << "there is nothing"; });
}

TEST(message_front, copies_messages_of_every_length) {
    message_front front;
    for (std::size_t size = 0; size <= 100; ++size) {
        const std::string message(size, static_cast<char>('a' + size % 26));
        front.open(0, 200, 200);
        ASSERT_TRUE(front.add(bytes_of(message)));
        front.take([&](bytes_view entries, std::uint32_t) { EXPECT_EQ(texts(entries), std::vector<std::string>{message}); });
    }
}

// A thread appends as the owner while another takes the buffer away from it and opens it again: nothing is lost, doubled or torn.
TEST(message_front, goes_from_its_owner_to_others_and_back) {
    constexpr std::size_t rounds = 2000;
    message_front front;
    std::mutex mutex;
    std::vector<std::string> all;
    const auto take = [&] { front.take([&](bytes_view entries, std::uint32_t) { std::ranges::move(texts(entries), std::back_inserter(all)); }); };
    const auto send = [&](const std::string& text) {
        if (const std::uint64_t sequence = front.add(bytes_of(text)); sequence != 0) {
            return sequence;
        }
        const std::lock_guard guard(mutex);
        take();
        all.push_back(text);
        const std::uint64_t last = all.size();
        front.open(last, 1000, 100);
        return last;
    };
    std::atomic<bool> done = false;
    auto taking = std::async(std::launch::async, [&] {
        while (!done) {
            {
                const std::lock_guard guard(mutex);
                take();
            }
            std::this_thread::yield();
        }
    });
    std::vector<std::vector<std::pair<std::uint64_t, std::string>>> sent(2);
    const auto sending = [&](std::size_t thread, std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            std::string text = std::to_string(thread) + ":" + std::to_string(i);
            sent[thread].emplace_back(send(text), std::move(text));
        }
    };
    auto first = std::async(std::launch::async, [&] {
        // Alone, beside the other, and alone again.
        sending(0, 0, 20 * rounds);
        auto second = std::async(std::launch::async, [&] { sending(1, 0, rounds); });
        sending(0, 20 * rounds, 21 * rounds);
        second.get();
        sending(0, 21 * rounds, 41 * rounds);
    });
    first.get();
    done = true;
    taking.get();
    take();
    ASSERT_EQ(all.size(), 42 * rounds);
    for (const auto& one : sent) {
        for (const auto& [sequence, text] : one) {
            EXPECT_EQ(all[sequence - 1], text);
        }
    }
}

TEST(client, many_threads_send_flush_and_append_at_once) {
    constexpr std::size_t threads = 4;
    constexpr std::size_t each = 5000;
    Server server;
    client_config config = server.config();
    config.batch_bytes = 1000;
    config.max_kept_bytes = 20'000;
    Pair pair(server, config);
    std::vector<std::string> sent(threads * each);
    std::vector<std::future<void>> sending;
    for (std::size_t thread = 0; thread < threads; ++thread) {
        sending.push_back(std::async(std::launch::async, [&, thread] {
            for (std::size_t i = 0; i < each; ++i) {
                const std::string text = std::to_string(thread) + ":" + std::to_string(i);
                const bytes_view message = bytes_of(text);
                const auto last = thread == 0 && i % 7 == 0 ? pair.client->send_all(std::span(&message, 1)) : pair.client->send(message);
                ASSERT_TRUE(last);
                sent[*last - 1] = text;
                if (thread == 1 && i % 500 == 0) {
                    EXPECT_TRUE(pair.client->flush(20s));
                }
            }
        }));
    }
    const auto all = read_all(pair.peer, sent.size());
    for (auto& one : sending) {
        one.get();
    }
    EXPECT_EQ(all, sent);
    EXPECT_TRUE(pair.client->flush(5s));
}

TEST(client, messages_behind_a_flush_linger_and_go) {
    Server server;
    client_config config = server.config();
    config.linger = 50ms;
    Pair pair(server, config);
    for (char letter = 'a'; letter < 'f'; ++letter) {
        ASSERT_TRUE(pair.client->send(bytes_of(std::string(1, letter))));
        ASSERT_TRUE(pair.client->send(bytes_of("more")));
        auto flushed = std::async(std::launch::async, [&] { return pair.client->flush(5s); });
        std::uint64_t seen = pair.peer.read().as<batch_frame>().first + 1;
        ASSERT_TRUE(pair.client->send(bytes_of("behind")));
        ASSERT_TRUE(pair.client->send(bytes_of("and behind")));
        EXPECT_EQ(pair.peer.read().as<batch_frame>().count, 2U);
        pair.peer.ack(seen + 2);
        EXPECT_TRUE(flushed.get());
    }
}

TEST(message_batch, refuses_what_the_server_would_and_can_be_emptied) {
    Server server;
    Pair pair(server, server.config());
    message_batch batch(*pair.client, 4U << 20);
    ASSERT_TRUE(batch.add(bytes_of("forgotten")));
    batch.clear();
    ASSERT_TRUE(batch.add(bytes_of("kept")));
    const auto added = batch.add(byte_vector((1U << 20) - 20));
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().code, error_code::frame_too_large);
    ASSERT_TRUE(batch.add(bytes_of("after")));
    EXPECT_EQ(*batch.push(), 2U);
    EXPECT_EQ(read_all(pair.peer, 2), (std::vector<std::string>{"kept", "after"}));
}

}  // namespace
