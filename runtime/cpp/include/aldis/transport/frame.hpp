// The frames of aldis/1, read and written (docs/protocol.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "bytes.hpp"
#include "result.hpp"

namespace aldis::transport {

inline constexpr std::uint8_t protocol_version = 1;

// A server takes a HELLO of 4 KiB; this much of it is for auth's method and data together.
inline constexpr std::size_t max_auth = 4096 - 43;

using producer_id = std::array<std::byte, 16>;

enum class durability_level : std::uint8_t { received = 0, handled = 1, durable = 2, replicated = 3 };

namespace feature {
inline constexpr std::uint32_t no_checksum = 1U << 0;
inline constexpr std::uint32_t crc32c = 1U << 1;
inline constexpr std::uint32_t schema = 1U << 2;
inline constexpr std::uint32_t push = 1U << 3;
}  // namespace feature

struct schema_id {
    std::uint32_t schema = 0;
    std::uint32_t type = 0;

    friend bool operator==(const schema_id&, const schema_id&) = default;
};

// How much may be outstanding: messages, and bytes of entries.
struct credit_window {
    std::uint32_t messages = 0;
    std::uint32_t bytes = 0;

    friend bool operator==(const credit_window&, const credit_window&) = default;
};

// Each frame's body. `fields` names its parts in wire order to what reads or writes them (codec.hpp). Texts and bytes are
// views of what was decoded.
struct hello_frame {
    static constexpr std::uint8_t kind = 0x01;
    std::uint8_t version = protocol_version;
    std::uint32_t features = 0;
    producer_id producer{};
    std::uint32_t epoch = 0;
    std::string_view auth_method;
    bytes_view auth_data;
    durability_level durability = durability_level::handled;
    credit_window window;

    static void fields(auto& self, auto& wire) {
        wire.magic();
        wire.number(self.version);
        wire.number(self.features);
        wire.producer(self.producer);
        wire.number(self.epoch);
        wire.short_text(self.auth_method);
        wire.sized_bytes(self.auth_data);
        wire.durability(self.durability);
        wire.window(self.window);
    }
};

struct welcome_frame {
    static constexpr std::uint8_t kind = 0x02;
    std::uint8_t version = protocol_version;
    std::uint32_t features = 0;
    std::uint64_t session = 0;
    std::uint64_t last = 0;
    credit_window credit;
    std::uint32_t max_frame = 0;
    durability_level durability = durability_level::handled;

    static void fields(auto& self, auto& wire) {
        wire.number(self.version);
        wire.number(self.features);
        wire.number(self.session);
        wire.number(self.last);
        wire.window(self.credit);
        wire.number(self.max_frame);
        wire.durability(self.durability);
    }
};

struct batch_frame {
    static constexpr std::uint8_t kind = 0x03;
    std::uint64_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t crc = 0;
    std::optional<schema_id> schema;
    bytes_view entries;

    static void fields(auto& self, auto& wire) {
        wire.number(self.first);
        wire.number(self.count);
        wire.number(self.crc);
        wire.schema(self.schema);
        wire.rest(self.entries);
    }
};

struct ack_frame {
    static constexpr std::uint8_t kind = 0x04;
    std::uint64_t received = 0;
    std::uint64_t handled = 0;
    std::uint64_t durable = 0;
    std::uint64_t duplicates = 0;
    credit_window credit;

    static void fields(auto& self, auto& wire) {
        wire.number(self.received);
        wire.number(self.handled);
        wire.number(self.durable);
        wire.number(self.duplicates);
        wire.window(self.credit);
    }
};

struct nack_frame {
    static constexpr std::uint8_t kind = 0x05;
    std::uint64_t expected = 0;
    error_code code = error_code::normal;
    std::string_view text;

    static void fields(auto& self, auto& wire) {
        wire.number(self.expected);
        wire.code(self.code);
        wire.text(self.text);
    }
};

struct request_frame {
    static constexpr std::uint8_t kind = 0x06;
    std::uint64_t correlation = 0;
    std::uint32_t deadline = 0;
    bytes_view bytes;

    static void fields(auto& self, auto& wire) {
        wire.number(self.correlation);
        wire.number(self.deadline);
        wire.rest(self.bytes);
    }
};

struct reply_frame {
    static constexpr std::uint8_t kind = 0x07;
    std::uint64_t correlation = 0;
    error_code code = error_code::normal;
    bytes_view bytes;

    static void fields(auto& self, auto& wire) {
        wire.number(self.correlation);
        wire.wide_code(self.code);
        wire.rest(self.bytes);
    }
};

struct push_frame {
    static constexpr std::uint8_t kind = 0x08;
    std::uint32_t subscription = 0;
    std::uint64_t first = 0;
    std::uint32_t count = 0;
    bytes_view entries;

    static void fields(auto& self, auto& wire) {
        wire.number(self.subscription);
        wire.number(self.first);
        wire.number(self.count);
        wire.rest(self.entries);
    }
};

struct ping_frame {
    static constexpr std::uint8_t kind = 0x09;
    std::uint64_t opaque = 0;

    static void fields(auto& self, auto& wire) { wire.number(self.opaque); }
};

struct pong_frame {
    static constexpr std::uint8_t kind = 0x0A;
    std::uint64_t opaque = 0;

    static void fields(auto& self, auto& wire) { wire.number(self.opaque); }
};

struct drain_frame {
    static constexpr std::uint8_t kind = 0x0B;
    std::uint32_t milliseconds = 0;

    static void fields(auto& self, auto& wire) { wire.number(self.milliseconds); }
};

struct close_frame {
    static constexpr std::uint8_t kind = 0x0C;
    error_code code = error_code::normal;
    std::string_view text;

    static void fields(auto& self, auto& wire) {
        wire.code(self.code);
        wire.text(self.text);
    }
};

struct subscribe_frame {
    static constexpr std::uint8_t kind = 0x0D;
    std::uint32_t subscription = 0;
    std::uint64_t from = 0;
    std::uint32_t credit = 0;
    std::string_view topic;

    static void fields(auto& self, auto& wire) {
        wire.number(self.subscription);
        wire.number(self.from);
        wire.number(self.credit);
        wire.text(self.topic);
    }
};

struct unsubscribe_frame {
    static constexpr std::uint8_t kind = 0x0E;
    std::uint32_t subscription = 0;
    error_code code = error_code::normal;
    std::string_view text;

    static void fields(auto& self, auto& wire) {
        wire.number(self.subscription);
        wire.code(self.code);
        wire.text(self.text);
    }
};

struct credit_frame {
    static constexpr std::uint8_t kind = 0x0F;
    std::uint32_t subscription = 0;
    std::uint64_t consumed = 0;
    std::uint32_t credit = 0;

    static void fields(auto& self, auto& wire) {
        wire.number(self.subscription);
        wire.number(self.consumed);
        wire.number(self.credit);
    }
};
// A kind with the top bit set that this version does not know: to be skipped.
struct unknown_frame {
    std::uint8_t kind = 0x80;
    bytes_view body;
};

using any_frame = std::variant<hello_frame, welcome_frame, batch_frame, ack_frame, nack_frame, request_frame, reply_frame,
                               push_frame, ping_frame, pong_frame, drain_frame, close_frame, subscribe_frame,
                               unsubscribe_frame, credit_frame, unknown_frame>;

}  // namespace aldis::transport
