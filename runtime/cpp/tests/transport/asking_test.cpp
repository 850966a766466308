// Requests both ways, and subscriptions.
#include "fake_server.hpp"

namespace {

using namespace fake;

TEST(open_requests, are_answered_in_any_order) {
    Server server;
    Pair pair(server, server.config());
    const auto ask = [&](const char* text) {
        return std::async(std::launch::async, [&pair, text] { return pair.client->request(bytes_of(text), 5s); });
    };
    auto one = ask("one");
    auto two = ask("two");
    const Got first = pair.peer.read();
    const Got second = pair.peer.read();
    for (const Got& got : {second, first}) {
        const auto request = got.as<request_frame>();
        EXPECT_EQ(request.deadline, 5000U);
        const std::string answer = "re: " + std::string(text_of(request.bytes));
        pair.peer.send(reply_frame{request.correlation, error_code::normal, bytes_of(answer)}, 5);
    }
    const auto answer_one = one.get();
    const auto answer_two = two.get();
    ASSERT_TRUE(answer_one);
    ASSERT_TRUE(answer_two);
    EXPECT_EQ(text_of(*answer_one), "re: one");
    EXPECT_EQ(text_of(*answer_two), "re: two");
}

TEST(open_requests, end_with_their_deadline_a_refusal_or_the_connection) {
    Server server;
    Pair pair(server, server.config());
    const auto late = pair.client->request(bytes_of("a"), 20ms);
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, error_code::deadline);
    pair.peer.send(reply_frame{pair.peer.read().as<request_frame>().correlation, error_code::normal, {}});

    auto refused = std::async(std::launch::async, [&] { return pair.client->request(bytes_of("b"), 5s); });
    pair.peer.send(reply_frame{pair.peer.read().as<request_frame>().correlation, error_code::refused, bytes_of("no")});
    const auto refusal = refused.get();
    ASSERT_FALSE(refusal);
    EXPECT_EQ(refusal.error(), (error{error_code::refused, "no"}));

    auto cut = std::async(std::launch::async, [&] { return pair.client->request(bytes_of("c"), 0ms); });
    EXPECT_EQ(pair.peer.read().as<request_frame>().deadline, 0U);
    pair.peer.cut();
    const auto lost = cut.get();
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code, error_code::disconnected);
}

TEST(open_requests, of_the_server_are_answered) {
    Server server;
    client_config config = server.config();
    config.on_request = [](bytes_view bytes) -> result<byte_vector> {
        if (bytes.empty()) {
            return error{error_code::refused, "nothing asked"};
        }
        return byte_vector(bytes.rbegin(), bytes.rend());
    };
    Pair pair(server, config);
    pair.peer.send(request_frame{8, 0, bytes_of("abc")});
    const Got answer = pair.peer.read();
    EXPECT_EQ(answer.as<reply_frame>().correlation, 8U);
    EXPECT_EQ(text_of(answer.as<reply_frame>().bytes), "cba");
    pair.peer.send(request_frame{9, 0, {}});
    EXPECT_EQ(pair.peer.read().as<reply_frame>().code, error_code::refused);

    Pair deaf(server, server.config());
    deaf.peer.send(request_frame{1, 0, {}});
    EXPECT_EQ(deaf.peer.read().as<reply_frame>().code, error_code::unsupported);
}

// An answer that no frame holds, or that is none, is the asker's bad luck: neither the client nor what it keeps pays for it.
TEST(open_requests, of_the_server_get_answers_that_fit) {
    Server server;
    client_config config = server.config();
    config.on_request = [](bytes_view bytes) -> result<byte_vector> {
        const std::string_view asked = text_of(bytes);
        if (asked == "latin1") {
            return error{error_code::refused, "\xff\xfe"};
        }
        if (asked == "normal" || asked == "misused") {
            return error{asked == "normal" ? error_code::normal : error_code::misused, "no"};
        }
        const std::size_t size = asked.ends_with("987") ? 987 : 988;
        if (asked.starts_with("text")) {
            return error{error_code::unavailable, std::string(size, 'x')};
        }
        return byte_vector(size);
    };
    auto future = connecting(config);
    Peer peer = server.accept();
    peer.greet(0, {1000, 100000}, 1000);
    const auto connected = future.get();
    ASSERT_TRUE(connected);
    ASSERT_TRUE((*connected)->send(bytes_of("kept")));
    EXPECT_EQ(peer.read().kind, batch_frame::kind);
    const std::pair<std::string_view, error_code> cases[] = {{"bytes 987", error_code::normal},
                                                             {"bytes 988", error_code::frame_too_large},
                                                             {"text 987", error_code::unavailable},
                                                             {"text 988", error_code::frame_too_large},
                                                             {"latin1", error_code::refused},
                                                             {"normal", error_code::handler},
                                                             {"misused", error_code::handler}};
    for (const auto& [asked, code] : cases) {
        peer.send(request_frame{9, 0, bytes_of(asked)});
        const Got answer = peer.read();
        EXPECT_EQ(answer.as<reply_frame>().code, code) << asked;
        EXPECT_LE(answer.as<reply_frame>().bytes.size(), 987U) << asked;
    }
    peer.ack(1);
    EXPECT_TRUE((*connected)->flush(5s));
}

// The messages that a subscription delivered, for several threads.
class Delivered {
public:
    subscription_config subscription(std::uint64_t from, std::uint32_t credit) {
        subscription_config wanted;
        wanted.topic = "log";
        wanted.from = from;
        wanted.credit = credit;
        wanted.on_push = [this](std::uint64_t first, std::uint32_t count, const entry_range& entries) {
            const std::lock_guard guard(mutex_);
            for (const bytes_view entry : entries) {
                all_.push_back(std::to_string(first++) + std::string(text_of(entry)));
                --count;
            }
            EXPECT_EQ(count, 0U);
            more_.notify_all();
        };
        wanted.on_end = [this](const error& why) {
            const std::lock_guard guard(mutex_);
            end_ = why;
            more_.notify_all();
        };
        return wanted;
    }

    std::vector<std::string> wait(std::size_t count) {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(more_.wait_for(lock, 5s, [&] { return all_.size() >= count; }));
        return all_;
    }

    error end() {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(more_.wait_for(lock, 5s, [&] { return end_.has_value(); }));
        return end_.value_or(error{});
    }

private:
    std::mutex mutex_;
    std::condition_variable more_;
    std::vector<std::string> all_;
    std::optional<error> end_;
};

TEST(subscription_table, deliver_grant_more_and_go_on_after_a_cut) {
    Server server;
    Delivered delivered;
    Pair pair(server, server.config());
    const auto id = pair.client->subscribe(delivered.subscription(10, 4));
    ASSERT_TRUE(id);
    const Got subscribe = pair.peer.read();
    EXPECT_EQ(subscribe.as<subscribe_frame>().from, 10U);
    EXPECT_EQ(subscribe.as<subscribe_frame>().credit, 4U);
    EXPECT_EQ(subscribe.as<subscribe_frame>().topic, "log");
    const byte_vector three = entries_of({"a", "", "c"});
    pair.peer.send(push_frame{*id, 10, 3, three}, 9);
    EXPECT_EQ(delivered.wait(3), (std::vector<std::string>{"10a", "11", "12c"}));
    const auto credit = pair.peer.read().as<credit_frame>();
    EXPECT_EQ(credit.consumed, 12U);
    EXPECT_EQ(credit.credit, 4U);
    pair.peer.cut();

    Peer again = server.accept();
    again.greet();
    EXPECT_EQ(again.read().as<subscribe_frame>().from, 13U);
    const byte_vector overlap = entries_of({"c", "d"});
    again.send(push_frame{*id, 12, 2, overlap});
    EXPECT_EQ(delivered.wait(4).back(), "13d") << "what came before is not told again";
    again.send(push_frame{*id, 12, 2, overlap});
    again.send(push_frame{*id + 1, 1, 2, overlap});
    again.send(unsubscribe_frame{*id, error_code::slow, "too slow"});
    EXPECT_EQ(delivered.end(), (error{error_code::slow, "too slow"}));
    EXPECT_EQ(delivered.wait(4).size(), 4U);
}

TEST(subscription_table, from_now_on_begin_where_the_server_is) {
    Server server;
    Delivered delivered;
    Pair pair(server, server.config());
    const auto id = pair.client->subscribe(delivered.subscription(0, 100));
    EXPECT_EQ(pair.peer.read().as<subscribe_frame>().from, 0U);
    const byte_vector one = entries_of({"x"});
    for (std::uint64_t i = 0; i < 49; ++i) {
        pair.peer.send(push_frame{*id, 5000 + i, 1, one});
    }
    EXPECT_EQ(delivered.wait(49).front(), "5000x");
    pair.peer.send(push_frame{*id, 5049, 1, one});
    EXPECT_EQ(pair.peer.read().as<credit_frame>().consumed, 5049U);
    pair.client->unsubscribe(*id);
    EXPECT_EQ(pair.peer.read().as<unsubscribe_frame>().subscription, *id);
}

TEST(subscription_table, need_a_server_that_has_them) {
    Server server;
    auto future = connecting(server.config());
    Peer peer = server.accept();
    peer.read();
    peer.send(welcome_frame{1, 0, 1, 0, {10, 10}, 1U << 20, durability_level::handled});
    const auto connected = future.get();
    ASSERT_TRUE(connected);
    Delivered delivered;
    const auto id = (*connected)->subscribe(delivered.subscription(0, 1));
    ASSERT_FALSE(id);
    EXPECT_EQ(id.error().code, error_code::unsupported);
}

TEST(subscription_table, take_no_topic_that_would_be_cut) {
    Server server;
    Delivered delivered;
    Pair pair(server, server.config());
    subscription_config wanted = delivered.subscription(0, 1);
    for (const std::string& topic : {std::string(1025, 'x'), std::string("\xff")}) {
        wanted.topic = topic;
        const auto id = pair.client->subscribe(wanted);
        ASSERT_FALSE(id);
        EXPECT_EQ(id.error().code, error_code::misused);
    }
    wanted.topic = std::string(1024, 'x');
    ASSERT_TRUE(pair.client->subscribe(wanted));
    EXPECT_EQ(pair.peer.read().as<subscribe_frame>().topic, wanted.topic);
}

}  // namespace
