// Messages through every framing, however the bytes are cut.
#include <gtest/gtest.h>

#include <aldis/stream/frames.hpp>
#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace aldis;

using byte_vector = std::vector<std::byte>;

byte_vector bytes(std::initializer_list<int> values) {
    byte_vector made;
    for (const int value : values) {
        made.push_back(static_cast<std::byte>(value));
    }
    return made;
}

byte_vector text(std::string_view text) {
    const bytes_view view = bytes_of(text);
    return {view.begin(), view.end()};
}

struct outcome {
    std::vector<byte_vector> messages;
    std::optional<stream_error> fault;
    byte_vector rest;

    bool operator==(const outcome&) const = default;
};

/// The messages of a stream that is fed in these pieces; each piece is overwritten when it has been fed.
outcome received(framing how, const std::vector<byte_vector>& pieces, std::uint64_t limit = frame_limit) {
    frame_receiver in(how, limit);
    outcome got;
    for (byte_vector piece : pieces) {
        const auto fed = in.feed(piece, [&](bytes_view message) { got.messages.emplace_back(message.begin(), message.end()); });
        if (!fed) {
            got.fault = fed.error();
        } else {
            EXPECT_EQ(*fed, piece.size());
        }
        std::fill(piece.begin(), piece.end(), std::byte{0xAA});
    }
    if (!got.fault) {
        got.rest.assign(in.rest().begin(), in.rest().end());
    }
    return got;
}

std::vector<byte_vector> in_pieces_of(const byte_vector& stream, std::size_t size) {
    std::vector<byte_vector> pieces;
    for (std::size_t at = 0; at < stream.size(); at += size) {
        const auto end = stream.begin() + static_cast<std::ptrdiff_t>(std::min(at + size, stream.size()));
        pieces.emplace_back(stream.begin() + static_cast<std::ptrdiff_t>(at), end);
    }
    return pieces;
}

/// That a stream is the same to a receiver whole, cut in two anywhere, and in pieces of every size.
outcome however_cut(framing how, const byte_vector& stream, std::uint64_t limit = frame_limit) {
    const outcome whole = received(how, {stream}, limit);
    for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
        const auto middle = stream.begin() + static_cast<std::ptrdiff_t>(cut);
        EXPECT_EQ(received(how, {{stream.begin(), middle}, {middle, stream.end()}}, limit), whole) << "cut at " << cut;
    }
    for (std::size_t size = 1; size < stream.size(); ++size) {
        EXPECT_EQ(received(how, in_pieces_of(stream, size), limit), whole) << "pieces of " << size;
    }
    return whole;
}

byte_vector framed(framing how, const std::vector<byte_vector>& messages) {
    frame_sender out(how);
    for (const byte_vector& message : messages) {
        EXPECT_TRUE(out.send(message));
    }
    return {out.bytes().begin(), out.bytes().end()};
}

/// A message that holds its own length, and is what it says.
byte_vector own_length(std::size_t at, std::size_t width, bool is_big, std::size_t size) {
    byte_vector message(size, std::byte{0x5A});
    for (std::size_t index = 0; index < width; ++index) {
        const std::size_t place = is_big ? width - 1 - index : index;
        message[at + index] = static_cast<std::byte>(size >> (8 * place));
    }
    return message;
}

const std::vector<byte_vector> texts{text("one"), text(""), text("three and more"), byte_vector(300, std::byte{7})};

TEST(frames, behind_lengths_come_whole_however_they_are_cut) {
    for (const framing how : {framing::u16le, framing::u16be, framing::u32le, framing::u32be, framing::sofh, framing::sofh_big}) {
        EXPECT_EQ(however_cut(how, framed(how, texts)), (outcome{texts, {}, {}}));
    }
}

TEST(frames, that_hold_their_length_come_whole_however_they_are_cut) {
    const auto check = [](framing how, std::size_t at, std::size_t width, bool is_big) {
        const std::vector<byte_vector> messages{own_length(at, width, is_big, at + width), own_length(at, width, is_big, 40),
                                                own_length(at, width, is_big, 200)};
        EXPECT_EQ(however_cut(how, framed(how, messages)), (outcome{messages, {}, {}}));
    };
    check(framing::length<std::uint8_t>(0, little, 0), 0, 1, false);
    check(framing::length<std::uint16_t>(3, big, 0), 3, 2, true);
    check(framing::length<std::uint32_t>(0, little, 4), 0, 4, false);
    check(framing::length<std::uint64_t>(2, big, 0), 2, 8, true);
}

TEST(frames, are_as_documented) {
    EXPECT_EQ(framed(framing::u16le, {text("ab")}), bytes({2, 0, 'a', 'b'}));
    EXPECT_EQ(framed(framing::u16be, {text("ab")}), bytes({0, 2, 'a', 'b'}));
    EXPECT_EQ(framed(framing::u32le, {text("ab")}), bytes({2, 0, 0, 0, 'a', 'b'}));
    EXPECT_EQ(framed(framing::u32be, {text("ab")}), bytes({0, 0, 0, 2, 'a', 'b'}));
    EXPECT_EQ(framed(framing::sofh, {text("ab")}), bytes({0, 0, 0, 8, 0xEB, 0x50, 'a', 'b'}));
    EXPECT_EQ(framed(framing::sofh_big, {text("ab")}), bytes({0, 0, 0, 8, 0x5B, 0xE0, 'a', 'b'}));
    EXPECT_EQ(framed(framing::fbe, {text("ab")}), text("ab"));
}

TEST(frames, of_segments_come_whole_however_they_are_cut) {
    const byte_vector one = bytes({0, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8});
    // Two segments, of no words and of two, and a table that ends with padding.
    byte_vector two = bytes({1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0});
    two.resize(32, std::byte{9});
    const byte_vector empty = bytes({0, 0, 0, 0, 0, 0, 0, 0});
    const std::vector<byte_vector> messages{one, two, empty, one};
    EXPECT_EQ(however_cut(framing::capnp, framed(framing::capnp, messages)), (outcome{messages, {}, {}}));
}

TEST(frames, that_are_packed_come_whole_however_they_are_cut) {
    const byte_vector word = bytes({0x10, 1, 0x01, 5});
    const byte_vector empty = bytes({0x00, 0});
    // Two segments of eight words: a run of zeros, a run of dense words, and a word between.
    byte_vector runs = bytes({0x11, 1, 4, 0x01, 4, 0x00, 2, 0x01, 7, 0xFF, 1, 2, 3, 4, 5, 6, 7, 8, 3});
    runs.resize(runs.size() + 24, std::byte{6});
    const std::vector<byte_vector> messages{word, empty, runs, word};
    EXPECT_EQ(however_cut(framing::capnp_packed, framed(framing::capnp_packed, messages)), (outcome{messages, {}, {}}));
}

TEST(frames, that_have_begun_are_kept) {
    EXPECT_EQ(however_cut(framing::u32be, bytes({0, 0, 0, 1, 'a', 0, 0, 0, 9, 'b'})),
              (outcome{{text("a")}, {}, bytes({0, 0, 0, 9, 'b'})}));
    EXPECT_EQ(however_cut(framing::capnp_packed, bytes({0x10, 4, 1})), (outcome{{}, {}, bytes({0x10, 4, 1})}));
}

TEST(frames, beyond_the_limit_end_the_stream_before_they_are_collected) {
    const auto fault = [](framing how, const byte_vector& stream, std::uint64_t limit) {
        return however_cut(how, stream, limit);
    };
    const byte_vector stream = bytes({3, 0, 'a', 'b', 'c', 0xE8, 3});
    EXPECT_EQ(fault(framing::u16le, stream, 100),
              (outcome{{text("abc")}, stream_error{stream_code::frame_too_large, 5, 1002, 100, {}}, {}}));
    EXPECT_EQ(fault(framing::u16le, stream, 5).messages.size(), 1U);
    EXPECT_EQ(fault(framing::u16le, stream, 4).fault, (stream_error{stream_code::frame_too_large, 0, 5, 4, {}}));
    EXPECT_EQ(fault(framing::u32be, bytes({0xFF, 0xFF, 0xFF, 0xFF}), frame_limit).fault,
              (stream_error{stream_code::frame_too_large, 0, 0x1'0000'0003, frame_limit, {}}));
    EXPECT_EQ(fault(framing::capnp, bytes({0, 0, 0, 0, 10, 0, 0, 0}), 80).fault,
              (stream_error{stream_code::frame_too_large, 0, 88, 80, {}}));
    // A table alone can be too large.
    byte_vector table(80);
    table[0] = std::byte{17};
    EXPECT_EQ(fault(framing::capnp, table, 64).fault, (stream_error{stream_code::frame_too_large, 0, 80, 64, {}}));
    EXPECT_EQ(fault(framing::capnp_packed, bytes({0x10, 8}), 64).fault,
              (stream_error{stream_code::frame_too_large, 0, 72, 64, {}}));
}

TEST(frames, of_which_the_head_is_beyond_the_limit_tell_their_whole_size) {
    const byte_vector stream = bytes({3, 0, 0, 0, 'a', 'b', 'c'});
    EXPECT_EQ(however_cut(framing::u32le, stream, 1).fault, (stream_error{stream_code::frame_too_large, 0, 7, 1, {}}));
    EXPECT_EQ(however_cut(framing::capnp, bytes({1, 0, 0, 0, 10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}), 6).fault,
              (stream_error{stream_code::frame_too_large, 0, 104, 6, {}}));
    EXPECT_EQ(however_cut(framing::sofh, bytes({0, 0, 0, 5, 0xEB, 0x50}), 4).fault,
              (stream_error{stream_code::frame_too_small, 0, 5, 6, {}}));
    // Before it has come nothing is wrong.
    EXPECT_EQ(received(framing::u32le, {{}, bytes({3, 0, 0})}, 1), (outcome{{}, {}, bytes({3, 0, 0})}));
}

TEST(frames, that_cannot_be_end_the_stream) {
    EXPECT_EQ(however_cut(framing::sofh, bytes({0, 0, 0, 5, 0xEB, 0x50, 1})).fault,
              (stream_error{stream_code::frame_too_small, 0, 5, 6, {}}));
    EXPECT_EQ(however_cut(framing::fbe, bytes({8, 0, 0, 0, 1, 2, 3, 4, 7, 0, 0, 0})).fault,
              (stream_error{stream_code::frame_too_small, 8, 7, 8, {}}));
    EXPECT_EQ(however_cut(framing::length<std::uint16_t>(0, little, 0), bytes({1, 0})).fault,
              (stream_error{stream_code::frame_too_small, 0, 1, 2, {}}));
    EXPECT_EQ(however_cut(framing::capnp, bytes({0xFF, 1, 0, 0})).fault,
              (stream_error{stream_code::too_many_segments, 0, 512, 511, {}}));
    EXPECT_EQ(however_cut(framing::capnp, bytes({0xFF, 0xFF, 0xFF, 0xFF})).fault,
              (stream_error{stream_code::too_many_segments, 0, 0x1'0000'0000, 511, {}}));
}

TEST(frames, whose_runs_go_too_far_end_the_stream) {
    const auto why = [](std::initializer_list<int> packed) {
        const outcome got = however_cut(framing::capnp_packed, bytes(packed), 64);
        EXPECT_TRUE(got.fault && got.fault->what == stream_code::bad_packing);
        return got.fault ? got.fault->message.what : code::truncated;
    };
    EXPECT_EQ(why({0x10, 1, 0x00, 1}), code::bad_value);
    EXPECT_EQ(why({0x10, 1, 0xFF, 1, 2, 3, 4, 5, 6, 7, 8, 1}), code::bad_value);
    EXPECT_EQ(why({0x00, 1}), code::bad_value);
    EXPECT_EQ(why({0x0F, 0xFF, 0xFF, 0xFF, 0xFF}), code::bad_count);
}

TEST(frames, give_the_same_fault_ever_after) {
    frame_receiver in(framing::u16le, 10);
    const auto none = [](bytes_view) { FAIL(); };
    const auto first = in.feed(bytes({0xFF, 0xFF}), none);
    const auto second = in.feed(bytes({1, 0, 'a'}), none);
    ASSERT_FALSE(first);
    ASSERT_FALSE(second);
    EXPECT_EQ(first.error(), second.error());
    EXPECT_EQ(to_string(first.error()), "frame-too-large at byte 0 of the stream: 65537, at most 10");
}

TEST(frames, can_be_taken_one_at_a_time) {
    const byte_vector stream = framed(framing::u16be, texts);
    for (std::size_t size = 1; size <= stream.size(); ++size) {
        frame_receiver in(framing::u16be);
        std::vector<byte_vector> got;
        for (const byte_vector& piece : in_pieces_of(stream, size)) {
            for (std::size_t at = 0; at < piece.size();) {
                const std::size_t before = got.size();
                const auto taken = in.feed(bytes_view(piece).subspan(at), [&](bytes_view message) {
                    got.emplace_back(message.begin(), message.end());
                    return false;
                });
                ASSERT_TRUE(taken);
                ASSERT_LE(got.size(), before + 1);
                at += *taken;
            }
        }
        EXPECT_EQ(got, texts) << "pieces of " << size;
    }
}

TEST(frames, are_not_copied_where_they_come_whole) {
    const byte_vector stream = framed(framing::u32le, texts);
    frame_receiver in(framing::u32le);
    const auto inside = [&](bytes_view message) {
        EXPECT_TRUE(message.data() >= stream.data() && message.data() + message.size() <= stream.data() + stream.size());
    };
    EXPECT_TRUE(in.feed(stream, inside));
}

TEST(frames, of_garbage_end_or_wait_and_take_no_more_than_came) {
    std::mt19937 random(7);
    const framing all[] = {framing::u16le, framing::u32be, framing::sofh, framing::fbe, framing::capnp, framing::capnp_packed,
                           framing::length<std::uint64_t>(3, big, 0)};
    for (int round = 0; round < 300; ++round) {
        byte_vector garbage(random() % 120);
        for (std::byte& byte : garbage) {
            byte = static_cast<std::byte>(random() % 4 == 0 ? random() : random() % 3);
        }
        for (const framing how : all) {
            const outcome whole = received(how, {garbage}, 1000);
            EXPECT_EQ(received(how, in_pieces_of(garbage, 1 + random() % 7), 1000), whole);
            std::size_t seen = whole.rest.size();
            for (const byte_vector& message : whole.messages) {
                seen += how.skip() + message.size();
            }
            EXPECT_TRUE(whole.fault ? seen <= garbage.size() : seen == garbage.size());
        }
    }
}

TEST(sent_frames, are_taken_by_a_sink_as_it_can) {
    frame_sender out(framing::u16be);
    byte_vector taken;
    std::size_t sent = 0;
    for (std::size_t round = 0; round < 200; ++round) {
        const byte_vector message(round * 7 % 90, static_cast<std::byte>(round));
        ASSERT_TRUE(out.send(message));
        sent += 2 + message.size();
        EXPECT_EQ(out.offset(), sent);
        out.flush([&](bytes_view bytes) {
            const std::size_t some = std::min<std::size_t>(bytes.size(), round % 61);
            taken.insert(taken.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(some));
            return some;
        });
    }
    out.flush([&](bytes_view bytes) { taken.insert(taken.end(), bytes.begin(), bytes.end()); });
    EXPECT_TRUE(out.bytes().empty());
    EXPECT_EQ(taken.size(), sent);
    const outcome got = received(framing::u16be, {taken});
    ASSERT_EQ(got.messages.size(), 200U);
    for (std::size_t round = 0; round < 200; ++round) {
        EXPECT_EQ(got.messages[round], byte_vector(round * 7 % 90, static_cast<std::byte>(round)));
    }
}

TEST(sent_frames, that_are_longer_than_their_length_can_say_are_refused) {
    frame_sender out(framing::u16le);
    ASSERT_TRUE(out.send(byte_vector(0xFFFF)));
    const auto refused = out.send(byte_vector(0x10000));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), (stream_error{stream_code::frame_too_large, 0x10001, 0x10000, 0xFFFF, {}}));
    EXPECT_EQ(out.bytes().size(), 0x10001U);
    EXPECT_EQ(framing::sofh.longest(), 0xFFFF'FFF9U);
    const auto broken = out.send_with([](std::span<std::byte>) -> result<std::size_t> {
        return error{code::bad_value, error::nowhere, "price"};
    });
    ASSERT_FALSE(broken);
    EXPECT_EQ(to_string(broken.error()), "bad-message at byte 65537 of the stream: bad-value in price");
    out.clear();
    EXPECT_TRUE(out.bytes().empty());
    EXPECT_EQ(out.offset(), 0x10001U);
}

}  // namespace
