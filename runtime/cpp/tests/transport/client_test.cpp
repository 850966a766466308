// Batches, acks, credit, draining.
#include <aldis/transport/batch.hpp>

#include "fake_server.hpp"

namespace {

using namespace fake;

TEST(client, says_hello_as_it_was_told) {
    Server server;
    client_config config = server.config();
    config.producer = producer_id{std::byte{1}, std::byte{2}};
    config.epoch = 9;
    config.auth_method = "token";
    config.auth_data = byte_vector(3, std::byte{'x'});
    config.durability = durability_level::durable;
    config.window = {10, 20};
    config.checksum = false;
    const Pair pair(server, config);
    const auto hello = pair.hello.as<hello_frame>();
    EXPECT_EQ(hello.producer, config.producer);
    EXPECT_EQ(hello.epoch, 9U);
    EXPECT_EQ(hello.auth_method, "token");
    EXPECT_EQ(text_of(hello.auth_data), "xxx");
    EXPECT_EQ(hello.durability, durability_level::durable);
    EXPECT_EQ(hello.window, (credit_window{10, 20}));
    EXPECT_EQ(hello.features, feature::no_checksum | feature::push);
    EXPECT_EQ(pair.client->state(), client_state::ready);
}

TEST(client, tries_another_server_when_one_cannot_be_reached_or_is_lost) {
    auto gone = std::make_unique<Server>();
    Server first;
    Server second;
    client_config config = first.config();
    config.address = gone->address();
    config.other_addresses = {first.address(), second.address()};
    config.durability = durability_level::replicated;
    gone.reset();
    Pair pair(first, config);
    ASSERT_TRUE(pair.client->send(bytes_of("a")));
    EXPECT_EQ(pair.peer.read().as<batch_frame>().first, 1U);
    { const Peer left = std::move(pair.peer); }
    Peer peer = second.accept();
    peer.greet(0, {1000, 100'000});
    EXPECT_EQ(peer.read().as<batch_frame>().first, 1U);
    peer.ack(1);
    EXPECT_TRUE(pair.client->flush(5s));
}

TEST(client, batches_what_lingers_and_flush_waits_for_the_ack) {
    Server server;
    client_config config = server.config();
    config.linger = 20ms;
    Pair pair(server, config);
    EXPECT_EQ(*pair.client->send(bytes_of("a")), 1U);
    EXPECT_EQ(*pair.client->send(bytes_of("")), 2U);
    const std::array<bytes_view, 2> two{bytes_of("c"), bytes_of("d")};
    EXPECT_EQ(*pair.client->send_all(two), 4U);
    const Got got = pair.peer.read();
    const auto batch = got.as<batch_frame>();
    EXPECT_EQ(batch.first, 1U);
    EXPECT_EQ(batch.count, 4U);
    EXPECT_EQ(batch.crc, batch_crc(batch));
    EXPECT_EQ(texts(batch.entries), (std::vector<std::string>{"a", "", "c", "d"}));
    const auto early = pair.client->flush(10ms);
    ASSERT_FALSE(early);
    EXPECT_EQ(early.error().code, error_code::deadline);
    auto flushed = std::async(std::launch::async, [&] { return pair.client->flush(5s); });
    pair.peer.ack(4);
    EXPECT_TRUE(flushed.get());
    EXPECT_EQ(pair.client->acked(), 4U);
}

TEST(client, flush_does_not_wait_for_the_linger) {
    Server server;
    client_config config = server.config();
    config.linger = 1h;
    Pair pair(server, config);
    ASSERT_TRUE(pair.client->send(bytes_of("a")));
    auto flushed = std::async(std::launch::async, [&] { return pair.client->flush(5s); });
    EXPECT_EQ(pair.peer.read().as<batch_frame>().count, 1U);
    pair.peer.ack(1);
    EXPECT_TRUE(flushed.get());
}

TEST(client, a_batch_goes_out_when_it_is_big_enough) {
    Server server;
    client_config config = server.config();
    config.linger = 1h;
    config.batch_bytes = 50;
    Pair pair(server, config);
    for (int i = 0; i < 6; ++i) {
        ASSERT_TRUE(pair.client->send(bytes_of("0123456789")));
    }
    EXPECT_EQ(pair.peer.read().as<batch_frame>().count, 4U);
}

TEST(client, a_batch_of_one_thread_keeps_its_place_among_single_messages) {
    Server server;
    client_config config = server.config();
    config.linger = 1h;
    Pair pair(server, config);
    message_batch batch(*pair.client, 16);
    EXPECT_EQ(*batch.push(), 0U);
    ASSERT_TRUE(batch.add(bytes_of("b")));
    ASSERT_TRUE(pair.client->send(bytes_of("a")));
    ASSERT_TRUE(batch.add(bytes_view{}));
    EXPECT_EQ(*batch.push(), 3U);
    const auto read = [&] {
        const Got got = pair.peer.read();
        return std::pair(got.as<batch_frame>().first, texts(got.as<batch_frame>().entries));
    };
    using expected = std::pair<std::uint64_t, std::vector<std::string>>;
    EXPECT_EQ(read(), (expected{1, {"a"}}));
    EXPECT_EQ(read(), (expected{2, {"b", ""}}));
    ASSERT_TRUE(batch.add(bytes_of("c")));
    ASSERT_TRUE(batch.add(bytes_of("longer than a batch")));
    ASSERT_TRUE(pair.client->send(bytes_of("d")));
    EXPECT_EQ(pair.client->flush(10ms).error().text,
              "6 messages are not acked: the server has not said yet that it has them");
    EXPECT_EQ(read(), (expected{4, {"c"}}));
    EXPECT_EQ(read(), (expected{5, {"longer than a batch", "d"}}));
    auto flushed = std::async(std::launch::async, [&] { return pair.client->flush(5s); });
    pair.peer.ack(6);
    EXPECT_TRUE(flushed.get());
    EXPECT_EQ(batch.add(byte_vector(2U << 20)).error().code, error_code::frame_too_large);
}

TEST(client, names_the_schema_of_its_messages) {
    Server server;
    client_config config = server.config();
    config.schema = schema_id{7, 8};
    Pair pair(server, config);
    ASSERT_TRUE(pair.client->send(bytes_of("a")));
    const Got got = pair.peer.read();
    const auto frame = decode(got.kind, got.body, true);
    ASSERT_TRUE(frame);
    const auto& batch = std::get<batch_frame>(*frame);
    EXPECT_EQ(batch.schema, (schema_id{7, 8}));
    EXPECT_EQ(batch.crc, batch_crc(batch));
    EXPECT_TRUE(entry_range::check(batch.entries, batch.count));
}

TEST(client, on_ack_tells_all_watermarks_of_acks_in_pieces) {
    Server server;
    client_config config = server.config();
    std::promise<watermarks> told;
    config.on_ack = [&](const watermarks& marks) {
        if (marks.acked == 2) {
            told.set_value(marks);
        }
    };
    Pair pair(server, config);
    const std::array<bytes_view, 3> three{bytes_of("a"), bytes_of("b"), bytes_of("c")};
    ASSERT_TRUE(pair.client->send_all(three));
    pair.peer.read();
    pair.peer.send(ack_frame{3, 2, 1, 5, {1000, 1000}}, 1);
    const watermarks marks = told.get_future().get();
    EXPECT_EQ(marks.received, 3U);
    EXPECT_EQ(marks.handled, 2U);
    EXPECT_EQ(marks.durable, 1U);
    EXPECT_EQ(marks.duplicates, 5U);
}

TEST(client, stays_within_its_credit) {
    Server server;
    client_config config = server.config();
    config.batch_bytes = 10000;
    Pair pair(server, config, 0, {5, 1000});
    const std::vector<bytes_view> many(23, bytes_of("abcd"));
    ASSERT_TRUE(pair.client->send_all(many));
    std::uint64_t seen = 0;
    std::uint64_t acked = 0;
    while (seen < 23) {
        const auto batch = pair.peer.read().as<batch_frame>();
        ASSERT_EQ(batch.first, seen + 1);
        seen += batch.count;
        ASSERT_LE(seen - acked, 5U);
        acked += 1 + seen % 3;
        acked = std::min(acked, seen);
        pair.peer.ack(acked, {5, 1000});
    }
}

TEST(client, send_waits_while_too_much_is_kept) {
    Server server;
    client_config config = server.config();
    config.max_kept_bytes = 100;
    config.linger = 1h;
    Pair pair(server, config);
    auto sending = std::async(std::launch::async, [&] {
        for (int i = 0; i < 20; ++i) {
            EXPECT_TRUE(pair.client->send(bytes_of("0123456789")));
        }
        EXPECT_TRUE(pair.client->flush(5s));
    });
    std::uint64_t seen = 0;
    while (seen < 20) {
        seen += pair.peer.read().as<batch_frame>().count;
        EXPECT_LE(seen - pair.client->acked(), 8U);
        pair.peer.ack(seen);
    }
    sending.get();
}

TEST(client, a_message_beyond_the_max_frame_is_refused_here) {
    Server server;
    const Pair pair(server, server.config());
    EXPECT_TRUE(pair.client->send(byte_vector((1U << 20) - 21)));
    const auto sent = pair.client->send(byte_vector((1U << 20) - 20));
    ASSERT_FALSE(sent);
    EXPECT_EQ(sent.error().code, error_code::frame_too_large);
}

// Megabytes through a server that reads a little at a time into a small buffer: every write is a partial one.
TEST(client, survives_partial_writes) {
    Server server(4096);
    Pair pair(server, server.config());
    std::mt19937 random(5);
    std::vector<std::string> messages;
    for (int i = 0; i < 3000; ++i) {
        messages.push_back(std::string(random() % 2000, static_cast<char>('a' + i % 26)));
    }
    auto sending = std::async(std::launch::async, [&] {
        for (const std::string& message : messages) {
            EXPECT_TRUE(pair.client->send(bytes_of(message)));
        }
        return pair.client->flush(10s);
    });
    std::size_t seen = 0;
    while (seen < messages.size()) {
        const Got got = pair.peer.read();
        const auto batch = got.as<batch_frame>();
        ASSERT_EQ(batch.first, seen + 1);
        ASSERT_EQ(batch.crc, batch_crc(batch));
        for (const std::string& text : texts(batch.entries)) {
            ASSERT_EQ(text, messages[seen++]);
        }
        pair.peer.ack(seen);
    }
    EXPECT_TRUE(sending.get());
}

TEST(client, many_threads_may_send) {
    Server server;
    Pair pair(server, server.config());
    constexpr int each = 5000;
    std::vector<std::future<void>> threads;
    for (int t = 0; t < 4; ++t) {
        threads.push_back(std::async(std::launch::async, [&pair, t] {
            std::uint64_t before = 0;
            for (int i = 0; i < each; ++i) {
                const auto sent = pair.client->send(bytes_of(std::to_string(t)));
                ASSERT_TRUE(sent);
                ASSERT_GT(*sent, before);
                before = *sent;
            }
            EXPECT_TRUE(pair.client->flush(10s));
        }));
    }
    std::uint64_t seen = 0;
    while (seen < 4 * each) {
        seen += pair.peer.read().as<batch_frame>().count;
        pair.peer.ack(seen);
    }
    for (auto& thread : threads) {
        thread.get();
    }
}

TEST(client, drain_flushes_says_so_and_waits_for_the_end) {
    Server server;
    Pair pair(server, server.config());
    ASSERT_TRUE(pair.client->send(bytes_of("a")));
    auto drained = std::async(std::launch::async, [&] { return pair.client->drain(5s); });
    EXPECT_EQ(pair.peer.read().as<batch_frame>().count, 1U);
    pair.peer.ack(1);
    EXPECT_GT(pair.peer.read().as<drain_frame>().milliseconds, 0U);
    pair.peer.send(close_frame{error_code::normal, "drained"});
    EXPECT_TRUE(drained.get());
    EXPECT_FALSE(pair.client->send(bytes_of("b")));
}

TEST(client, close_says_normal) {
    Server server;
    Pair pair(server, server.config());
    pair.client->close();
    EXPECT_EQ(pair.peer.read().as<close_frame>().code, error_code::normal);
    EXPECT_FALSE(pair.peer.maybe_read());
    const auto sent = pair.client->send(bytes_of("a"));
    ASSERT_FALSE(sent);
    EXPECT_EQ(sent.error().code, error_code::closed);
}

TEST(client, callbacks_cannot_wait_for_themselves) {
    Server server;
    client_config config = server.config();
    std::promise<error_code> told;
    std::promise<client*> made;
    auto client = made.get_future().share();
    config.on_ack = [&, client](const watermarks&) {
        const auto flushed = client.get()->flush(1s);
        told.set_value(flushed ? error_code::normal : flushed.error().code);
    };
    Pair pair(server, config);
    made.set_value(pair.client.get());
    ASSERT_TRUE(pair.client->send(bytes_of("a")));
    pair.peer.read();
    pair.peer.ack(1);
    EXPECT_EQ(told.get_future().get(), error_code::misused);
}

// However the connection ends once the server was told that nothing follows: all is acked, and the client is over.
TEST(client, is_drained_when_the_connection_ends_behind_its_last_word) {
    const std::vector<std::function<void(Peer&)>> ends = {
        [](Peer& peer) { peer.cut(); },
        [](Peer& peer) { peer.send(close_frame{error_code::idle, ""}); },
        [](Peer& peer) { peer.send(close_frame{error_code::superseded, ""}); },
        [](Peer& peer) { peer.send_raw(byte_vector(8)); },
    };
    for (std::size_t i = 0; i < ends.size(); ++i) {
        Server server;
        Pair pair(server, server.config());
        ASSERT_TRUE(pair.client->send(bytes_of("a")));
        auto drained = std::async(std::launch::async, [&] { return pair.client->drain(5s); });
        pair.peer.read();
        pair.peer.ack(1);
        EXPECT_EQ(pair.peer.read().kind, drain_frame::kind) << i;
        EXPECT_FALSE(pair.client->send(bytes_of("late"))) << i;
        const auto begin = steady_clock::now();
        ends[i](pair.peer);
        EXPECT_TRUE(drained.get()) << i;
        EXPECT_LT(steady_clock::now() - begin, 4s) << i;
        EXPECT_EQ(pair.client->state(), client_state::over) << i;
    }
}

TEST(client, is_over_when_it_drains_without_a_connection) {
    auto server = std::make_unique<Server>();
    client_config config = server->config();
    config.least_backoff = config.most_backoff = 1h;
    Pair pair(*server, config);
    server.reset();
    pair.peer.cut();
    while (pair.client->state() == client_state::ready) {
        std::this_thread::sleep_for(1ms);
    }
    EXPECT_TRUE(pair.client->drain(5s));
    EXPECT_FALSE(pair.client->send(bytes_of("late")));
    while (pair.client->state() != client_state::over) {
        std::this_thread::sleep_for(1ms);
    }
}

TEST(client, says_no_more_than_a_hello_takes) {
    Server server;
    client_config config = server.config();
    config.auth_method = std::string(255, 'm');
    config.auth_data = byte_vector(max_auth - 255);
    byte_vector longest;
    hello_frame hello;
    hello.auth_method = config.auth_method;
    hello.auth_data = config.auth_data;
    encode(longest, hello);
    EXPECT_EQ(longest.size() - length_size, 4096U);
    const Pair pair(server, config);
    config.auth_data.push_back({});
    EXPECT_EQ(client::connect(config).error().code, error_code::misused);
    config.auth_data.clear();
    config.auth_method.push_back('m');
    EXPECT_EQ(client::connect(config).error().code, error_code::misused);
}

}  // namespace
