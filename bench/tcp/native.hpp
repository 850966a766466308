// The client's half of aldis/1 (docs/protocol.md): batches with acks, or requests with replies.
#pragma once

#include <aldis/transport/crc32.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "legacy.hpp"
#include "options.hpp"
#include "socket.hpp"

namespace loader {

class Native {
public:
    explicit Native(const Options& options)
        : options_(options),
          requests_(options.mode == Mode::request),
          head_(requests_ ? request_head : batch_head),
          stride_((requests_ ? request_head : entry_head) + options.payload) {
        if (requests_ && options.batch != 1) {
            usage("mode request sends one request a write: --batch 1");
        }
        frame_.resize(requests_ ? stride_ : batch_head + options.batch * stride_, std::byte{'x'});
        if (!requests_) {
            for (std::size_t i = 0; i < options.batch; ++i) {
                put(&frame_[batch_head + i * stride_], options.payload, 4);
            }
        }
    }

    std::size_t wire_size() const { return stride_; }
    // How many messages may be outstanding as far as the server is concerned.
    std::uint64_t credit() const {
        if (requests_) {
            return UINT64_MAX;
        }
        return std::min<std::uint64_t>(credit_messages_, credit_bytes_ / stride_);
    }

    void handshake(int socket) {
        const auto hello = make_hello();
        for (std::size_t at = 0; at < hello.size();) {
            at += send_some(socket, std::span(hello).subspan(at));
        }
        std::array<std::byte, 4096> bytes{};
        while (!welcomed_) {
            receive(std::span(bytes).first(receive_some(socket, bytes)));
        }
        if (frame_.size() - 4 > max_frame_) {
            fail("a batch of " + std::to_string(frame_.size()) + " bytes is more than the server's max frame of " +
                 std::to_string(max_frame_));
        }
        if (!requests_ && credit() < options_.batch) {
            fail("the server's credit is less than a batch");
        }
    }

    // The answers to pings, once.
    std::span<const std::byte> control() {
        control_out_.swap(control_);
        control_.clear();
        return control_out_;
    }

    std::span<const std::byte> batch(std::uint64_t first, std::uint64_t count) {
        const std::size_t size = requests_ ? stride_ : head_ + count * stride_;
        put(frame_.data(), size - 4, 4);
        put(&frame_[4], requests_ ? 0x06 : 0x03, 1);
        put(&frame_[5], first, 8);
        put(&frame_[13], requests_ ? 0 : count, 4);
        if (options_.payload >= 8) {
            for (std::size_t i = 0; i < count; ++i) {
                put(&frame_[head_ + i * stride_ + (requests_ ? 0 : entry_head)], first + i, 8);
            }
        }
        const std::span<const std::byte> frame(frame_.data(), size);
        if (!requests_) {
            const auto checksum = [&] {
                return aldis::transport::crc32(frame.subspan(batch_head), aldis::transport::crc32(frame.subspan(5, 12)));
            };
            put(&frame_[17], options_.checksum ? checksum() : 0, 4);
        }
        sent_ = first + count - 1;
        return frame;
    }

    std::uint64_t receive(std::span<const std::byte> bytes) {
        in_.insert(in_.end(), bytes.begin(), bytes.end());
        std::size_t at = 0;
        while (in_.size() - at >= 5) {
            const std::size_t length = get(&in_[at], 4);
            if (length < 1 || length > largest_answer) {
                fail("a frame of " + std::to_string(length) + " bytes came");
            }
            if (in_.size() - at < 4 + length) {
                break;
            }
            frame(std::to_integer<unsigned>(in_[at + 4]), std::span(in_).subspan(at + 5, length - 1));
            at += 4 + length;
        }
        in_.erase(in_.begin(), in_.begin() + static_cast<std::ptrdiff_t>(at));
        return acked_;
    }

private:
    std::vector<std::byte> make_hello() const {
        std::vector<std::byte> hello;
        const auto add = [&hello](std::uint64_t value, std::size_t size) {
            hello.resize(hello.size() + size);
            put(hello.data() + hello.size() - size, value, size);
        };
        std::random_device random;
        add(53, 4);
        add(0x01, 1);
        for (const char c : std::string_view("ALDIS")) {
            add(static_cast<unsigned char>(c), 1);
        }
        add(1, 1);
        add(options_.checksum ? 0 : 1, 4);
        for (int i = 0; i < 4; ++i) {
            add(random(), 4);
        }
        add(1, 4);
        add(0, 1);
        add(0, 2);
        add(options_.durability, 1);
        add(0, 8);
        put(hello.data(), hello.size() - 4, 4);
        return hello;
    }

    void frame(unsigned kind, std::span<const std::byte> body) {
        const auto needs = [&](bool enough) {
            if (!enough) {
                fail("a frame of kind " + std::to_string(kind) + " has " + std::to_string(body.size()) + " bytes");
            }
        };
        if (kind == 0x02) {
            needs(body.size() == 34);
            welcome(body);
        } else if (kind == 0x04) {
            needs(body.size() == 40);
            ack(body);
        } else if (kind == 0x07) {
            needs(body.size() >= 12);
            reply(get(&body[0], 8), get(&body[8], 4));
        } else if (kind == 0x09) {
            needs(body.size() == 8);
            pong(body);
        } else if (kind == 0x05 || kind == 0x0C) {
            needs(body.size() >= 4);
            const std::size_t text = kind == 0x05 ? 12 : 4;
            fail((kind == 0x05 ? "NACK " : "CLOSE ") + std::to_string(get(&body[text - 4], 2)) + ": " +
                 std::string(reinterpret_cast<const char*>(body.data()) + std::min(text, body.size()),
                             body.size() - std::min(text, body.size())));
        } else if (kind < 0x80 && kind != 0x0A) {
            fail("a frame of kind " + std::to_string(kind) + " came");
        }
    }

    void welcome(std::span<const std::byte> body) {
        const std::uint64_t features = get(&body[1], 4);
        if (get(&body[0], 1) != 1 || get(&body[13], 8) != 0 || get(&body[33], 1) < options_.durability) {
            fail("WELCOME has another version, another producer's sequence or less durability");
        }
        if (!options_.checksum && (features & 1) == 0) {
            fail("the server does not grant batches without a checksum");
        }
        credit_messages_ = get(&body[21], 4);
        credit_bytes_ = get(&body[25], 4);
        max_frame_ = get(&body[29], 4);
        welcomed_ = true;
    }

    // The watermarks never go back, never beyond what was sent, and no level is ahead of the one below it.
    void ack(std::span<const std::byte> body) {
        std::uint64_t below = sent_;
        for (std::size_t level = 0; level < 3; ++level) {
            const std::uint64_t mark = get(&body[8 * level], 8);
            if (mark < marks_[level] || mark > below) {
                fail("watermark " + std::to_string(level) + " is " + std::to_string(mark) + " after " +
                     std::to_string(marks_[level]) + ", and the one before it " + std::to_string(below));
            }
            marks_[level] = below = mark;
        }
        if (get(&body[24], 8) != 0) {
            fail("the server saw duplicates, none was sent");
        }
        // Replicated messages have no watermark of their own.
        acked_ = marks_[std::min<std::uint8_t>(options_.durability, 2)];
        credit_messages_ = get(&body[32], 4);
        credit_bytes_ = get(&body[36], 4);
    }

    void reply(std::uint64_t correlation, std::uint64_t code) {
        if (correlation != acked_ + 1 || code != 0) {
            fail("reply " + std::to_string(correlation) + " after " + std::to_string(acked_) + " has code " +
                 std::to_string(code));
        }
        acked_ = correlation;
    }

    void pong(std::span<const std::byte> body) {
        const std::size_t at = control_.size();
        control_.resize(at + 13);
        put(&control_[at], 9, 4);
        put(&control_[at + 4], 0x0A, 1);
        std::memcpy(&control_[at + 5], body.data(), 8);
    }

    static constexpr std::size_t batch_head = 21;    // length, kind, first, count, crc
    static constexpr std::size_t request_head = 17;  // length, kind, correlation, deadline
    static constexpr std::size_t entry_head = 4;
    static constexpr std::size_t largest_answer = 64U << 20;

    const Options& options_;
    bool requests_;
    std::size_t head_;
    std::size_t stride_;
    std::vector<std::byte> frame_;
    std::vector<std::byte> in_;
    std::vector<std::byte> control_;
    std::vector<std::byte> control_out_;
    std::array<std::uint64_t, 3> marks_{};
    std::uint64_t sent_ = 0;
    std::uint64_t acked_ = 0;
    std::uint64_t credit_messages_ = 0;
    std::uint64_t credit_bytes_ = 0;
    std::uint64_t max_frame_ = 0;
    bool welcomed_ = false;
};

}  // namespace loader
