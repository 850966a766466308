#include <aldis/transport/codec.hpp>
#include <aldis/transport/entries.hpp>
#include <aldis/transport/inbox.hpp>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace aldis::transport;

namespace {

// Hexadecimal bytes; what follows `#` in a line is said to people.
byte_vector hex(const std::filesystem::path& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    byte_vector bytes;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        for (std::string word; words >> word;) {
            bytes.push_back(static_cast<std::byte>(std::stoul(word, nullptr, 16)));
        }
    }
    return bytes;
}

byte_vector vector(const std::string& name) { return hex(std::filesystem::path(VECTORS) / (name + ".hex")); }

// The frame of a golden file, which must encode to the same bytes.
template <class T>
T golden(const std::string& name, bool schema = false) {
    // Views of the frame outlive this function.
    static std::vector<byte_vector> kept;
    kept.push_back(vector(name));
    const bytes_view bytes = kept.back();
    const auto frame = decode(std::to_integer<std::uint8_t>(bytes[4]), bytes.subspan(5), schema);
    EXPECT_TRUE(frame) << name << ": " << frame.error().text;
    const T* is = frame ? std::get_if<T>(&*frame) : nullptr;
    EXPECT_NE(is, nullptr) << name;
    if (is == nullptr) {
        return T{};
    }
    if constexpr (!std::is_same_v<T, unknown_frame>) {
        byte_vector again;
        encode(again, *is);
        EXPECT_EQ(again, kept.back()) << name;
    }
    return *is;
}

TEST(Codec, hello_and_welcome) {
    const auto hello = golden<hello_frame>("hello");
    EXPECT_EQ(hello.version, 1);
    EXPECT_EQ(hello.features, feature::no_checksum | feature::schema | feature::push);
    EXPECT_EQ(hello.producer[0], std::byte{0xa0});
    EXPECT_EQ(hello.producer[15], std::byte{0xaf});
    EXPECT_EQ(hello.epoch, 7U);
    EXPECT_EQ(hello.auth_method, "token");
    EXPECT_EQ(text_of(hello.auth_data), "s3cret");
    EXPECT_EQ(hello.durability, durability_level::durable);
    EXPECT_EQ(hello.window, (credit_window{4000, 1048576}));

    const auto welcome = golden<welcome_frame>("welcome");
    EXPECT_EQ(welcome.features, feature::schema | feature::push);
    EXPECT_EQ(welcome.session, 0x1122334455667788U);
    EXPECT_EQ(welcome.last, 41U);
    EXPECT_EQ(welcome.credit, (credit_window{100000, 8388608}));
    EXPECT_EQ(welcome.max_frame, 1048576U);
    EXPECT_EQ(welcome.durability, durability_level::durable);
}

TEST(Codec, batches_and_their_checksums) {
    for (const std::string name : {"batch", "batch-no-checksum", "batch-schema"}) {
        const bool schema = name == "batch-schema";
        const auto batch = golden<batch_frame>(name, schema);
        EXPECT_EQ(batch.first, 42U);
        EXPECT_EQ(batch.count, 3U);
        EXPECT_EQ(batch.schema, schema ? std::optional(schema_id{7, 1001}) : std::nullopt);
        ASSERT_TRUE(entry_range::check(batch.entries, 3));
        std::vector<std::string> texts;
        for (const bytes_view entry : entry_range(batch.entries)) {
            texts.emplace_back(text_of(entry));
        }
        EXPECT_EQ(texts, (std::vector<std::string>{"abc", "", "hello"}));
        EXPECT_EQ(batch.crc, name == "batch-no-checksum" ? 0 : batch_crc(batch));
        byte_vector head;
        encode_head(head, batch);
        head.insert(head.end(), batch.entries.begin(), batch.entries.end());
        EXPECT_EQ(head, vector(name));
    }
}

TEST(Codec, acks_and_nacks) {
    const auto ack = golden<ack_frame>("ack");
    EXPECT_EQ(ack.received, 44U);
    EXPECT_EQ(ack.handled, 43U);
    EXPECT_EQ(ack.durable, 40U);
    EXPECT_EQ(ack.duplicates, 2U);
    EXPECT_EQ(ack.credit, (credit_window{100000, 8388608}));
    const auto nack = golden<nack_frame>("nack");
    EXPECT_EQ(nack.expected, 42U);
    EXPECT_EQ(nack.code, error_code::gap);
    EXPECT_EQ(nack.text, "42 is missing");
}

TEST(Codec, requests_and_replies) {
    const auto request = golden<request_frame>("request");
    EXPECT_EQ(request.correlation, 9U);
    EXPECT_EQ(request.deadline, 250U);
    EXPECT_EQ(text_of(request.bytes), "ping?");
    EXPECT_TRUE(golden<request_frame>("request-empty").bytes.empty());
    const auto reply = golden<reply_frame>("reply");
    EXPECT_EQ(reply.correlation, 9U);
    EXPECT_EQ(reply.code, error_code::normal);
    EXPECT_EQ(text_of(reply.bytes), "pong!");
    EXPECT_EQ(golden<reply_frame>("reply-refused").code, error_code::refused);
}

TEST(Codec, subscriptions) {
    const auto subscribe = golden<subscribe_frame>("subscribe");
    EXPECT_EQ(subscribe.subscription, 3U);
    EXPECT_EQ(subscribe.from, 1U);
    EXPECT_EQ(subscribe.credit, 500U);
    EXPECT_EQ(subscribe.topic, "log");
    const auto push = golden<push_frame>("push");
    EXPECT_EQ(push.subscription, 3U);
    EXPECT_EQ(push.first, 1000U);
    EXPECT_EQ(push.count, 2U);
    EXPECT_TRUE(entry_range::check(push.entries, 2));
    const auto credit = golden<credit_frame>("credit");
    EXPECT_EQ(credit.consumed, 1001U);
    EXPECT_EQ(credit.credit, 500U);
    const auto unsubscribe = golden<unsubscribe_frame>("unsubscribe");
    EXPECT_EQ(unsubscribe.code, error_code::refused);
    EXPECT_EQ(unsubscribe.text, "no topic logs");
}

TEST(Codec, the_small_ones) {
    EXPECT_EQ(golden<ping_frame>("ping").opaque, 0xfedcba9876543210U);
    EXPECT_EQ(golden<pong_frame>("pong").opaque, 0xfedcba9876543210U);
    EXPECT_EQ(golden<drain_frame>("drain").milliseconds, 5000U);
    EXPECT_EQ(golden<close_frame>("close").code, error_code::idle);
    EXPECT_EQ(golden<close_frame>("close").text, "nothing came for 30 s");
    EXPECT_EQ(golden<close_frame>("close-bare").text, "");
    EXPECT_EQ(golden<unknown_frame>("unknown-skipped").kind, 0xf0);
}

TEST(Codec, malformed_frames_are_refused) {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(VECTORS) / "malformed")) {
        ++files;
        inbox incoming;
        const byte_vector bytes = hex(entry.path());
        std::copy(bytes.begin(), bytes.end(), incoming.room().begin());
        incoming.came(bytes.size());
        // A byte of the next frame: even the shortest head is looked at.
        incoming.came(1);
        const auto raw = incoming.next();
        if (raw) {
            ASSERT_TRUE(*raw) << entry.path();
            EXPECT_FALSE(decode((*raw)->kind, (*raw)->body)) << entry.path();
        }
    }
    EXPECT_GE(files, 11);
}

TEST(Codec, random_bodies_do_no_harm) {
    std::mt19937 random(1);
    for (int i = 0; i < 200000; ++i) {
        byte_vector body(random() % 64);
        for (std::byte& byte : body) {
            byte = static_cast<std::byte>(random() % 4 == 0 ? random() : 0);
        }
        const auto kind = static_cast<std::uint8_t>(random() % 20);
        const auto frame = decode(kind, body, (i & 1) != 0);
        if (frame && kind < 0x80) {
            byte_vector again;
            std::visit(
                [&](const auto& one) {
                    if constexpr (!std::is_same_v<std::decay_t<decltype(one)>, unknown_frame>) {
                        encode(again, one);
                    }
                },
                *frame);
            EXPECT_TRUE(std::equal(body.begin(), body.end(), again.begin() + 5, again.end()));
        }
    }
}

TEST(Codec, frames_come_whole_however_reads_end) {
    byte_vector stream;
    for (std::size_t i = 0; i < 300; ++i) {
        const byte_vector bytes(i * 997 % 70000, static_cast<std::byte>(i));
        encode(stream, request_frame{i, 0, bytes});
    }
    std::mt19937 random(7);
    inbox incoming;
    std::size_t frames = 0;
    for (std::size_t at = 0; at < stream.size();) {
        const std::size_t size = std::min({stream.size() - at, incoming.room().size(), std::size_t{1} + random() % 5000});
        ASSERT_GT(size, 0U);
        std::copy_n(stream.begin() + static_cast<std::ptrdiff_t>(at), size, incoming.room().begin());
        incoming.came(size);
        at += size;
        while (true) {
            const auto raw = incoming.next();
            ASSERT_TRUE(raw);
            if (!*raw) {
                break;
            }
            const auto frame = decode((*raw)->kind, (*raw)->body);
            ASSERT_TRUE(frame);
            const auto& request = std::get<request_frame>(*frame);
            EXPECT_EQ(request.correlation, frames);
            EXPECT_EQ(request.bytes.size(), frames * 997 % 70000);
            ++frames;
        }
    }
    EXPECT_EQ(frames, 300U);
}

TEST(Crc, agrees_with_its_definition_at_every_size_and_alignment) {
    EXPECT_EQ(crc32(bytes_of("123456789")), 0xcbf43926U);
    byte_vector bytes(700);
    std::mt19937 random(3);
    for (std::byte& byte : bytes) {
        byte = static_cast<std::byte>(random());
    }
    for (std::size_t size = 0; size < 600; ++size) {
        const bytes_view part = bytes_view(bytes).subspan(size % 17, size);
        std::uint32_t state = ~0U;
        for (const std::byte byte : part) {
            state ^= std::to_integer<std::uint32_t>(byte);
            for (int bit = 0; bit < 8; ++bit) {
                state = (state >> 1) ^ ((state & 1) != 0 ? 0xEDB88320 : 0);
            }
        }
        ASSERT_EQ(crc32(part), ~state) << size;
        ASSERT_EQ(~detail::crc_sliced(~0U, part.data(), part.size()), ~state) << size;
        ASSERT_EQ(crc32(part.subspan(size / 3), crc32(part.first(size / 3))), ~state) << size;
    }
}

TEST(Utf8, knows_what_is_none) {
    for (const char* good : {"", "a", "ö", "日本", "\xf0\x9f\x98\x80", "\xef\xbf\xbf", "\xf4\x8f\xbf\xbf"}) {
        EXPECT_TRUE(aldis::is_utf8(good)) << good;
    }
    for (const char* bad : {"\x80", "\xc3", "\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
                            "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82", "a\xff"}) {
        EXPECT_FALSE(aldis::is_utf8(bad)) << bad;
    }
    const std::string long_text = std::string(1023, 'a') + "ö";
    EXPECT_EQ(detail::fitting(long_text).size(), 1023U);
}

}  // namespace
