// Cuts, refusals, closes, silence: what is not acked comes again, and what cannot be mended is told.
#include <fstream>
#include <set>
#include <sstream>

#include "fake_server.hpp"

namespace {

using namespace fake;

TEST(Failure, connect_tells_why_it_failed) {
    client_config config;
    {
        const Server gone;
        config = gone.config();
    }
    const auto connected = client::connect(config);
    ASSERT_FALSE(connected);
    EXPECT_EQ(connected.error().code, error_code::disconnected);
    EXPECT_NE(connected.error().text.find("refused"), std::string::npos) << connected.error().text;
}

TEST(Failure, a_server_that_says_nothing_is_left) {
    Server server;
    client_config config = server.config();
    config.connect_timeout = 30ms;
    auto future = connecting(config);
    const Peer peer = server.accept();
    const auto connected = future.get();
    ASSERT_FALSE(connected);
    EXPECT_EQ(connected.error().code, error_code::idle);
}

TEST(Failure, a_close_instead_of_welcome_is_told) {
    Server server;
    auto future = connecting(server.config());
    Peer peer = server.accept();
    peer.read();
    peer.send(close_frame{error_code::unauthorized, "no such token"});
    const auto connected = future.get();
    ASSERT_FALSE(connected);
    EXPECT_EQ(connected.error(), (error{error_code::unauthorized, "no such token"}));
}

TEST(Failure, what_was_not_acked_comes_again_after_a_cut) {
    Server server;
    client_config config = server.config();
    config.batch_bytes = 16;
    Pair pair(server, config);
    for (const char* text : {"aaaa", "bbbb", "cccc", "dddd", "eeee"}) {
        ASSERT_TRUE(pair.client->send(bytes_of(text)));
    }
    EXPECT_EQ(pair.peer.read().as<batch_frame>().first, 1U);
    pair.peer.ack(1);
    pair.peer.cut();
    Peer again = server.accept();
    const Got hello = again.greet(3);
    EXPECT_EQ(hello.as<hello_frame>().producer, pair.hello.as<hello_frame>().producer);
    EXPECT_EQ(hello.as<hello_frame>().epoch, 1U);
    std::vector<std::string> came;
    while (came.size() < 2) {
        const Got got = again.read();
        const auto batch = got.as<batch_frame>();
        ASSERT_EQ(batch.first, 4U + came.size()) << "the server has all up to 3";
        EXPECT_EQ(batch.crc, batch_crc(batch));
        for (const std::string& text : texts(batch.entries)) {
            came.push_back(text);
        }
    }
    EXPECT_EQ(came, (std::vector<std::string>{"dddd", "eeee"}));
    again.ack(5);
    EXPECT_TRUE(pair.client->flush(5s));
}

// A server that dies at random, and keeps what a server keeps: nothing is lost, doubled or out of order.
TEST(Failure, cuts_at_random_lose_nothing) {
    Server server;
    client_config config = server.config();
    config.batch_bytes = 200;
    constexpr std::size_t total = 20000;
    std::vector<std::string> log;
    auto future = connecting(config);
    std::mt19937 random(17);
    std::future<result<void>> sending;
    std::unique_ptr<client> client;
    for (int round = 0; log.size() < total; ++round) {
        Peer peer = server.accept();
        const auto said = peer.maybe_read();
        if (!said) {
            continue;
        }
        peer.send(welcome_frame{1, 0, 1, log.size(), {200, 100000}, 1U << 20, durability_level::handled});
        if (!client) {
            auto connected = future.get();
            ASSERT_TRUE(connected);
            client = std::move(*connected);
            sending = std::async(std::launch::async, [&] {
                for (std::size_t i = 0; i < total; ++i) {
                    EXPECT_TRUE(client->send(bytes_of(std::to_string(i))));
                }
                return client->flush(20s);
            });
        }
        std::size_t acked = log.size();
        for (auto left = 1 + random() % 40; left > 0 && log.size() < total; --left) {
            const Got got = peer.read();
            const auto batch = got.as<batch_frame>();
            ASSERT_LE(batch.first, log.size() + 1);
            std::uint64_t sequence = batch.first;
            for (const std::string& text : texts(batch.entries)) {
                if (sequence++ > log.size()) {
                    log.push_back(text);
                }
            }
            if (random() % 2 == 0 || log.size() - acked > 100) {
                acked = log.size();
                peer.send(ack_frame{acked, acked, 0, 0, {200, 100000}}, random() % 4 == 0 ? 7 : SIZE_MAX);
            }
        }
        if (log.size() == total) {
            peer.ack(total);
            EXPECT_TRUE(sending.get());
        }
    }
    for (std::size_t i = 0; i < total; ++i) {
        ASSERT_EQ(log[i], std::to_string(i));
    }
}

TEST(Failure, a_nack_is_answered_from_where_it_says) {
    Server server;
    client_config config = server.config();
    config.batch_bytes = 16;
    Pair pair(server, config);
    const std::vector<bytes_view> four(4, bytes_of("abcd"));
    ASSERT_TRUE(pair.client->send_all(four));
    EXPECT_EQ(pair.peer.read().as<batch_frame>().first, 1U);
    EXPECT_EQ(pair.peer.read().as<batch_frame>().first, 3U);
    for (const error_code code : {error_code::bad_checksum, error_code::gap, error_code::bad_count}) {
        pair.peer.send(nack_frame{2, code, "again"});
        EXPECT_EQ(pair.peer.read().as<batch_frame>().first, 2U);
        EXPECT_EQ(pair.peer.read().as<batch_frame>().first, 3U);
    }
    pair.peer.ack(4);
    EXPECT_TRUE(pair.client->flush(5s));
}

TEST(Failure, nacks_without_end_are_a_reason_to_connect_again) {
    Server server;
    Pair pair(server, server.config());
    ASSERT_TRUE(pair.client->send(bytes_of("a")));
    int batches = 0;
    while (pair.peer.read().kind == batch_frame::kind) {
        pair.peer.send(nack_frame{1, error_code::bad_checksum, ""});
        ASSERT_LT(++batches, 20);
    }
    Peer again = server.accept();
    again.greet();
    EXPECT_EQ(again.read().as<batch_frame>().first, 1U);
}

TEST(Failure, a_refused_message_ends_the_client_that_wants_it_so_and_says_which) {
    Server server;
    client_config config = server.config();
    config.retry_refused = false;
    Pair pair(server, config);
    const std::vector<bytes_view> three(3, bytes_of("abcd"));
    ASSERT_TRUE(pair.client->send_all(three));
    pair.peer.read();
    pair.peer.send(nack_frame{2, error_code::refused, "not today"});
    const auto flushed = pair.client->flush(5s);
    ASSERT_FALSE(flushed);
    EXPECT_EQ(flushed.error(), (error{error_code::refused, "message 2: not today"}));
    EXPECT_EQ(pair.client->state(), client_state::over);
}

TEST(Failure, a_refused_message_is_told_and_tried_again_after_longer_and_longer) {
    Server server;
    client_config config = server.config();
    config.least_backoff = 20ms;
    config.most_backoff = 50ms;
    std::promise<std::string> told;
    config.on_refused = [&, first = true](std::uint64_t sequence, const std::string& text) mutable {
        if (std::exchange(first, false)) {
            told.set_value(std::to_string(sequence) + ": " + text);
        }
    };
    Pair pair(server, config);
    const std::vector<bytes_view> three(3, bytes_of("abcd"));
    ASSERT_TRUE(pair.client->send_all(three));
    pair.peer.read();
    for (const auto pause : {20ms, 40ms, 50ms}) {
        const auto begin = steady_clock::now();
        pair.peer.send(nack_frame{2, error_code::refused, "not now"});
        EXPECT_EQ(pair.peer.read().as<batch_frame>().first, 2U);
        EXPECT_GE(steady_clock::now() - begin, pause);
    }
    EXPECT_EQ(told.get_future().get(), "2: not now");
    pair.peer.ack(3);
    EXPECT_TRUE(pair.client->flush(5s));
}

// The codes of the row of docs/protocol.md, "Endings", that begins with CLOSE and has this in its second column.
std::set<std::string> closes(const std::string& what_follows) {
    std::ifstream page(PROTOCOL);
    std::set<std::string> names;
    for (std::string line; std::getline(page, line);) {
        const auto end = line.find(" | " + what_follows);
        if (line.starts_with("| CLOSE ") && !line.starts_with("| CLOSE with") && end != std::string::npos) {
            std::istringstream list(line.substr(8, end - 8));
            for (std::string name; std::getline(list >> std::ws, name, ',');) {
                names.insert(name);
            }
        }
    }
    return names;
}

TEST(Failure, closes_are_mended_or_told_as_the_protocol_says) {
    const auto again = closes("connects again");
    const auto over = closes("is over");
    EXPECT_EQ(again.size() + over.size(), 20U);
    Server server;
    Pair mended(server, server.config());
    ASSERT_TRUE(mended.client->send(bytes_of("a")));
    EXPECT_EQ(mended.peer.read().as<batch_frame>().first, 1U);
    // One of a later version first.
    mended.peer.send(close_frame{static_cast<error_code>(99), "later"});
    for (std::uint32_t number = 0; number < 20; ++number) {
        const auto code = static_cast<error_code>(number);
        const std::string name(to_string(code));
        ASSERT_NE(again.contains(name), over.contains(name)) << name;
        if (again.contains(name)) {
            mended.peer = server.accept();
            mended.peer.greet();
            EXPECT_EQ(mended.peer.read().as<batch_frame>().first, 1U) << name;
            mended.peer.send(close_frame{code, "later"});
        } else {
            Server other;
            Pair told(other, other.config());
            ASSERT_TRUE(told.client->send(bytes_of("a")));
            told.peer.send(close_frame{code, "for good"});
            const auto flushed = told.client->flush(5s);
            ASSERT_FALSE(flushed);
            EXPECT_EQ(flushed.error(), (error{code, "for good"}));
        }
    }
}

TEST(Failure, what_a_server_must_not_say_ends_the_connection_alone) {
    constexpr auto protocol = error_code::protocol;
    const std::vector<std::pair<error_code, std::function<void(Peer&)>>> wrongs = {
        {protocol, [](Peer& peer) { peer.ack(7); }},
        {protocol,
         [](Peer& peer) {
             peer.send(nack_frame{0, error_code::gap, ""});
         }},
        {protocol,
         [](Peer& peer) {
             peer.send(nack_frame{9, error_code::refused, ""});
         }},
        {protocol,
         [](Peer& peer) {
             peer.send(welcome_frame{1, 0, 1, 0, {1, 1}, 1U << 20, durability_level::handled});
         }},
        {protocol, [](Peer& peer) { peer.send(batch_frame{}); }},
        {protocol, [](Peer& peer) { peer.send(hello_frame{}); }},
        {protocol, [](Peer& peer) { peer.send(credit_frame{}); }},
        {protocol, [](Peer& peer) { peer.send(subscribe_frame{}); }},
        {protocol, [](Peer& peer) { peer.send_raw(byte_vector(8)); }},
        {error_code::frame_too_large, [](Peer& peer) { peer.send_raw(byte_vector(8, std::byte{0xff})); }},
        {error_code::bad_count,
         [](Peer& peer) {
             peer.send(push_frame{1, 1, 2, {}});
         }},
    };
    Server server;
    Pair pair(server, server.config());
    ASSERT_TRUE(pair.client->send(bytes_of("a")));
    for (std::size_t i = 0; i < wrongs.size(); ++i) {
        EXPECT_EQ(pair.peer.read().as<batch_frame>().first, 1U) << i;
        wrongs[i].second(pair.peer);
        EXPECT_EQ(pair.peer.read().as<close_frame>().code, wrongs[i].first) << i;
        pair.peer = server.accept();
        pair.peer.greet();
    }
    pair.peer.read();
    pair.peer.ack(1);
    EXPECT_TRUE(pair.client->flush(5s));
}

TEST(Failure, a_first_frame_that_is_no_welcome_ends_the_connection_alone) {
    Server server;
    Pair pair(server, server.config());
    pair.peer.cut();
    pair.peer = server.accept();
    pair.peer.read();
    pair.peer.send(ping_frame{1});
    EXPECT_EQ(pair.peer.read().as<close_frame>().code, error_code::protocol);
    pair.peer = server.accept();
    pair.peer.greet(0, {1000, 1000}, 63);
    EXPECT_EQ(pair.peer.read().as<close_frame>().code, error_code::protocol);
    server.accept().greet();
}

TEST(Failure, a_welcome_that_is_less_than_wanted_ends_the_client) {
    struct Case {
        error_code code;
        std::function<void(client_config&)> wants;
        welcome_frame welcome;
    };
    const welcome_frame plain{1, 0, 1, 0, {1000, 100000}, 1U << 20, durability_level::handled};
    welcome_frame newer = plain;
    newer.version = 2;
    welcome_frame ahead = plain;
    ahead.last = 7;
    const Case cases[] = {
        {error_code::version, [](client_config&) {}, newer},
        {error_code::superseded, [](client_config&) {}, ahead},
        {error_code::unsupported, [](client_config& config) { config.durability = durability_level::durable; }, plain},
        {error_code::unsupported, [](client_config& config) { config.checksum = false; }, plain},
        {error_code::unsupported, [](client_config& config) { config.schema = schema_id{1, 2}; }, plain},
    };
    for (const Case& one : cases) {
        Server server;
        client_config config = server.config();
        one.wants(config);
        Pair pair(server, config);
        pair.peer.cut();
        Peer again = server.accept();
        again.read();
        again.send(one.welcome);
        EXPECT_EQ(again.read().as<close_frame>().code, one.code);
        while (pair.client->state() != client_state::over) {
            std::this_thread::sleep_for(1ms);
        }
        const auto sent = pair.client->send(bytes_of("late"));
        ASSERT_FALSE(sent);
        EXPECT_EQ(sent.error().code, one.code);
    }
}

TEST(Failure, a_kept_message_that_the_server_has_no_room_for_any_more_ends_the_client) {
    Server server;
    Pair pair(server, server.config());
    ASSERT_TRUE(pair.client->send(byte_vector(1000)));
    pair.peer.read();
    pair.peer.cut();
    Peer narrow = server.accept();
    narrow.greet(0, {1000, 100000}, 1000);
    EXPECT_EQ(narrow.read().as<close_frame>().code, error_code::frame_too_large);
    const auto flushed = pair.client->flush(5s);
    ASSERT_FALSE(flushed);
    EXPECT_EQ(flushed.error().code, error_code::frame_too_large);
}

TEST(Failure, a_server_that_forgot_gets_a_new_epoch_from_one) {
    Server server;
    client_config config = server.config();
    config.batch_bytes = 8;
    Pair pair(server, config);
    ASSERT_TRUE(pair.client->send(bytes_of("aaaa")));
    ASSERT_TRUE(pair.client->send(bytes_of("bbbb")));
    pair.peer.read();
    pair.peer.read();
    pair.peer.ack(1);
    while (pair.client->acked() < 1) {
        std::this_thread::sleep_for(1ms);
    }
    pair.peer.cut();
    Peer forgetful = server.accept();
    forgetful.greet(0);
    EXPECT_EQ(forgetful.read().as<close_frame>().code, error_code::unavailable);
    Peer again = server.accept();
    EXPECT_EQ(again.greet(0).as<hello_frame>().epoch, 2U);
    const Got got = again.read();
    EXPECT_EQ(got.as<batch_frame>().first, 1U);
    EXPECT_EQ(texts(got.as<batch_frame>().entries), (std::vector<std::string>{"bbbb"}));
    again.ack(1);
    EXPECT_TRUE(pair.client->flush(5s));
    EXPECT_EQ(pair.client->acked(), 2U);
}

TEST(Failure, a_producer_with_a_memory_goes_on_behind_what_the_server_has) {
    Server server;
    Pair pair(server, server.config(), 41);
    EXPECT_EQ(*pair.client->send(bytes_of("a")), 42U);
    EXPECT_EQ(pair.peer.read().as<batch_frame>().first, 42U);
}

TEST(Failure, a_silent_server_is_asked_and_then_left) {
    Server server;
    client_config config = server.config();
    config.ping_after = 100ms;
    Pair pair(server, config);
    const auto ping = pair.peer.read().as<ping_frame>();
    pair.peer.send(pong_frame{ping.opaque});
    EXPECT_EQ(pair.peer.read().kind, ping_frame::kind);
    EXPECT_EQ(pair.peer.read().as<close_frame>().code, error_code::idle);
    Peer again = server.accept();
    again.greet();
}

TEST(Failure, pings_are_answered) {
    Server server;
    Pair pair(server, server.config());
    pair.peer.send(ping_frame{77}, 1);
    EXPECT_EQ(pair.peer.read().as<pong_frame>().opaque, 77U);
}

TEST(Failure, a_draining_server_gets_nothing_new) {
    Server server;
    Pair pair(server, server.config());
    pair.peer.send(drain_frame{1000});
    while (pair.client->state() != client_state::draining) {
        std::this_thread::sleep_for(1ms);
    }
    ASSERT_TRUE(pair.client->send(bytes_of("a")));
    std::this_thread::sleep_for(20ms);
    EXPECT_EQ(pair.peer.read().as<drain_frame>().milliseconds, 1000U) << "behind the last batch";
    pair.peer.send(close_frame{error_code::normal, "drained"});
    EXPECT_FALSE(pair.peer.maybe_read()) << "nothing but the end";
    Peer again = server.accept();
    again.greet();
    EXPECT_EQ(again.read().as<batch_frame>().first, 1U);
}

TEST(Failure, states_are_told_in_order) {
    Server server;
    client_config config = server.config();
    std::mutex mutex;
    std::vector<client_state> states;
    config.on_state = [&](client_state state, const error&) {
        const std::lock_guard guard(mutex);
        states.push_back(state);
    };
    Pair pair(server, config);
    pair.peer.cut();
    pair.peer = server.accept();
    pair.peer.greet();
    pair.peer.send(close_frame{error_code::superseded, ""});
    EXPECT_FALSE(pair.peer.maybe_read());
    while (pair.client->state() != client_state::over) {
        std::this_thread::sleep_for(1ms);
    }
    pair.client->close();
    EXPECT_EQ(states, (std::vector<client_state>{client_state::ready, client_state::connecting, client_state::ready,
                                                 client_state::over}));
}

TEST(Failure, close_interrupts_attempts_to_connect) {
    auto server = std::make_unique<Server>();
    client_config config = server->config();
    config.least_backoff = config.most_backoff = 1h;
    Pair pair(*server, config);
    server.reset();
    pair.peer.cut();
    while (pair.client->state() == client_state::ready) {
        std::this_thread::sleep_for(1ms);
    }
    const auto begin = steady_clock::now();
    pair.client->close();
    EXPECT_LT(steady_clock::now() - begin, 2s);
}

}  // namespace
