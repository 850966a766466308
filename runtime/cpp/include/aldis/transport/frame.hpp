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

using Producer = std::array<std::byte, 16>;

enum class Durability : std::uint8_t { received = 0, handled = 1, durable = 2, replicated = 3 };

namespace feature {
inline constexpr std::uint32_t no_checksum = 1U << 0;
inline constexpr std::uint32_t crc32c = 1U << 1;
inline constexpr std::uint32_t schema = 1U << 2;
inline constexpr std::uint32_t push = 1U << 3;
}  // namespace feature

struct SchemaId {
    std::uint32_t schema = 0;
    std::uint32_t type = 0;

    friend bool operator==(const SchemaId&, const SchemaId&) = default;
};

// How much may be outstanding: messages, and bytes of entries.
struct Window {
    std::uint32_t messages = 0;
    std::uint32_t bytes = 0;

    friend bool operator==(const Window&, const Window&) = default;
};

// Each frame's body. `fields` names its parts in wire order to what reads or writes them (codec.hpp). Texts and bytes are
// views of what was decoded.
struct Hello {
    static constexpr std::uint8_t kind = 0x01;
    std::uint8_t version = protocol_version;
    std::uint32_t features = 0;
    Producer producer{};
    std::uint32_t epoch = 0;
    std::string_view auth_method;
    Bytes auth_data;
    Durability durability = Durability::handled;
    Window window;

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

struct Welcome {
    static constexpr std::uint8_t kind = 0x02;
    std::uint8_t version = protocol_version;
    std::uint32_t features = 0;
    std::uint64_t session = 0;
    std::uint64_t last = 0;
    Window credit;
    std::uint32_t max_frame = 0;
    Durability durability = Durability::handled;

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

struct Batch {
    static constexpr std::uint8_t kind = 0x03;
    std::uint64_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t crc = 0;
    std::optional<SchemaId> schema;
    Bytes entries;

    static void fields(auto& self, auto& wire) {
        wire.number(self.first);
        wire.number(self.count);
        wire.number(self.crc);
        wire.schema(self.schema);
        wire.rest(self.entries);
    }
};

struct Ack {
    static constexpr std::uint8_t kind = 0x04;
    std::uint64_t received = 0;
    std::uint64_t handled = 0;
    std::uint64_t durable = 0;
    std::uint64_t duplicates = 0;
    Window credit;

    static void fields(auto& self, auto& wire) {
        wire.number(self.received);
        wire.number(self.handled);
        wire.number(self.durable);
        wire.number(self.duplicates);
        wire.window(self.credit);
    }
};

struct Nack {
    static constexpr std::uint8_t kind = 0x05;
    std::uint64_t expected = 0;
    Code code = Code::normal;
    std::string_view text;

    static void fields(auto& self, auto& wire) {
        wire.number(self.expected);
        wire.code(self.code);
        wire.text(self.text);
    }
};

struct Request {
    static constexpr std::uint8_t kind = 0x06;
    std::uint64_t correlation = 0;
    std::uint32_t deadline = 0;
    Bytes bytes;

    static void fields(auto& self, auto& wire) {
        wire.number(self.correlation);
        wire.number(self.deadline);
        wire.rest(self.bytes);
    }
};

struct Reply {
    static constexpr std::uint8_t kind = 0x07;
    std::uint64_t correlation = 0;
    Code code = Code::normal;
    Bytes bytes;

    static void fields(auto& self, auto& wire) {
        wire.number(self.correlation);
        wire.wide_code(self.code);
        wire.rest(self.bytes);
    }
};

struct Push {
    static constexpr std::uint8_t kind = 0x08;
    std::uint32_t subscription = 0;
    std::uint64_t first = 0;
    std::uint32_t count = 0;
    Bytes entries;

    static void fields(auto& self, auto& wire) {
        wire.number(self.subscription);
        wire.number(self.first);
        wire.number(self.count);
        wire.rest(self.entries);
    }
};

struct Ping {
    static constexpr std::uint8_t kind = 0x09;
    std::uint64_t opaque = 0;

    static void fields(auto& self, auto& wire) {
        wire.number(self.opaque);
    }
};

struct Pong {
    static constexpr std::uint8_t kind = 0x0A;
    std::uint64_t opaque = 0;

    static void fields(auto& self, auto& wire) {
        wire.number(self.opaque);
    }
};

struct Drain {
    static constexpr std::uint8_t kind = 0x0B;
    std::uint32_t milliseconds = 0;

    static void fields(auto& self, auto& wire) {
        wire.number(self.milliseconds);
    }
};

struct Close {
    static constexpr std::uint8_t kind = 0x0C;
    Code code = Code::normal;
    std::string_view text;

    static void fields(auto& self, auto& wire) {
        wire.code(self.code);
        wire.text(self.text);
    }
};

struct Subscribe {
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

struct Unsubscribe {
    static constexpr std::uint8_t kind = 0x0E;
    std::uint32_t subscription = 0;
    Code code = Code::normal;
    std::string_view text;

    static void fields(auto& self, auto& wire) {
        wire.number(self.subscription);
        wire.code(self.code);
        wire.text(self.text);
    }
};

struct Credit {
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
struct Unknown {
    std::uint8_t kind = 0x80;
    Bytes body;
};

using Frame = std::variant<Hello, Welcome, Batch, Ack, Nack, Request, Reply, Push, Ping, Pong, Drain, Close, Subscribe,
                           Unsubscribe, Credit, Unknown>;

}  // namespace aldis::transport
