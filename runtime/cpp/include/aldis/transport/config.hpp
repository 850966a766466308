// The settings that a client is made with, and the events that it tells.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>

#include "bytes.hpp"
#include "entries.hpp"
#include "frame.hpp"
#include "result.hpp"
#include "stream.hpp"

namespace aldis::transport {

using milliseconds = std::chrono::milliseconds;

// Up to where the server has come, in sequences of this client.
struct watermarks {
    // The watermark of the durability that was granted: these messages are done with.
    std::uint64_t acked = 0;
    std::uint64_t received = 0;
    std::uint64_t handled = 0;
    std::uint64_t durable = 0;
    // Messages that this connection sent twice and the server dropped.
    std::uint64_t duplicates = 0;
};

enum class client_state { connecting, ready, draining, over };

// A producer that nobody else has.
inline producer_id random_producer() {
    std::random_device random;
    producer_id producer{};
    for (std::size_t i = 0; i < producer.size(); i += 4) {
        store(&producer[i], static_cast<std::uint32_t>(random()));
    }
    return producer;
}

// All callbacks run on the client's own thread, one at a time. They may call `send`, `request` with a callback, `subscribe`
// and `unsubscribe`, but nothing that waits.
struct client_config {
    endpoint address;
    // Servers with the same log: when one cannot be reached or is lost, the next is tried, in turn.
    std::vector<endpoint> other_addresses;
    connect_function connector = tcp();

    // Keep both to go on after a restart of the process; a producer without memory takes a random one.
    producer_id producer = random_producer();
    std::uint32_t epoch = 1;

    std::string auth_method;  // at most 255 bytes
    byte_vector auth_data;    // with the method at most 4,053 bytes (`max_auth`)

    durability_level durability = durability_level::handled;
    credit_window window;  // wanted; 0: the server's choice
    bool checksum = true;
    std::optional<schema_id> schema;  // of all messages

    // A batch goes out when it has so many bytes of entries, or when its first message is so old.
    std::size_t batch_bytes = 64U << 10;
    std::chrono::microseconds linger{1000};
    // Bytes of entries sent and not acked that are kept; `send` waits beyond.
    std::size_t max_kept_bytes = 64U << 20;

    milliseconds connect_timeout{5000};
    // A server that is silent for so long is asked, and left when it stays silent for as long again.
    milliseconds ping_after{10000};
    // Between attempts to connect: doubles from the least to the most, half of it random.
    milliseconds least_backoff{50};
    milliseconds most_backoff{5000};
    // A message that the server's handler refuses is sent again after a pause that doubles like the one between attempts to
    // connect, and all behind it waits. With false the client is over.
    bool retry_refused = true;

    std::function<void(const watermarks&)> on_ack;
    // The handler did not take this message; it is sent again (`retry_refused`).
    std::function<void(std::uint64_t sequence, const std::string& text)> on_refused;
    std::function<void(client_state, const error&)> on_state;
    // Answers the server's requests.
    std::function<result<byte_vector>(bytes_view)> on_request;

    // The server for an attempt to connect, counted from 0.
    const endpoint& server(std::size_t attempt) const {
        const std::size_t number = attempt % (other_addresses.size() + 1);
        return number == 0 ? address : other_addresses[number - 1];
    }

    // The reason why it cannot be, when there is one.
    std::optional<error> fault() const {
        if (auth_method.size() > 255 || auth_method.size() + auth_data.size() > max_auth) {
            return error{error_code::misused, "an auth method takes 255 bytes, it and auth data together " + std::to_string(max_auth)};
        }
        return std::nullopt;
    }
};

// The answer to a request: bytes that are gone when the callback returns, or why there is none.
using reply_handler = std::function<void(const result<bytes_view>&)>;

struct subscription_config {
    std::string topic;  // at most 1,024 bytes of UTF-8
    // The sequence of the topic to begin at; 0: what comes from now on.
    std::uint64_t from = 0;
    // Messages that the server may be ahead.
    std::uint32_t credit = 1000;
    // Messages from `first` on; gone when the callback returns.
    std::function<void(std::uint64_t first, std::uint32_t count, const entry_range&)> on_push;
    // The server ended it; it does not come back by itself.
    std::function<void(const error&)> on_end;
};

}  // namespace aldis::transport
