// A server in this process that does what a test says, frame by frame.
#pragma once

#include <aldis/transport/client.hpp>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <future>
#include <netinet/in.h>

namespace fake {

using namespace aldis::transport;
using namespace std::chrono_literals;

// One frame that owns its bytes.
struct Got {
    std::uint8_t kind = 0;
    byte_vector body;

    template <class T>
    T as() const {
        EXPECT_EQ(kind, T::kind);
        const auto frame = decode(kind, body);
        const T* is = frame ? std::get_if<T>(&*frame) : nullptr;
        EXPECT_NE(is, nullptr);
        return is == nullptr ? T{} : *is;
    }
};

inline std::vector<std::string> texts(bytes_view entries) {
    std::vector<std::string> all;
    for (const bytes_view entry : entry_range(entries)) {
        all.emplace_back(text_of(entry));
    }
    return all;
}

inline byte_vector entries_of(const std::vector<std::string>& texts) {
    byte_vector out;
    for (const std::string& text : texts) {
        const std::size_t at = out.size();
        out.resize(at + entry_head);
        store(&out[at], static_cast<std::uint32_t>(text.size()));
        const bytes_view bytes = bytes_of(text);
        out.insert(out.end(), bytes.begin(), bytes.end());
    }
    return out;
}

// The server's end of a connection.
class Peer {
public:
    explicit Peer(int socket) : socket_(socket) {
        const timeval patience{5, 0};
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        const int on = 1;
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }

    // The next frame; none when the connection ends or nothing comes for 5 s.
    std::optional<Got> maybe_read() {
        byte_vector head(length_size + kind_size);
        if (!fill(head)) {
            return std::nullopt;
        }
        Got got{std::to_integer<std::uint8_t>(head[4]), byte_vector(load<std::uint32_t>(head.data()) - kind_size)};
        return fill(got.body) ? std::optional(got) : std::nullopt;
    }

    Got read() {
        auto got = maybe_read();
        EXPECT_TRUE(got) << "no frame came";
        return got.value_or(Got{});
    }

    template <class T>
    void send(const T& frame, std::size_t piece = SIZE_MAX) {
        byte_vector out;
        encode(out, frame);
        send_raw(out, piece);
    }

    void send_raw(bytes_view bytes, std::size_t piece = SIZE_MAX) {
        while (!bytes.empty()) {
            const bytes_view now = bytes.first(std::min(piece, bytes.size()));
            ASSERT_EQ(::send(socket_.get(), now.data(), now.size(), MSG_NOSIGNAL), static_cast<ssize_t>(now.size()));
            bytes = bytes.subspan(now.size());
            if (piece != SIZE_MAX) {
                std::this_thread::sleep_for(1ms);
            }
        }
    }

    // HELLO comes, WELCOME goes.
    Got greet(std::uint64_t last = 0, credit_window credit = {1000000, 100000000}, std::uint32_t max_frame = 1U << 20) {
        Got hello = read();
        const auto said = hello.as<hello_frame>();
        send(welcome_frame{1, said.features, 1, last, credit, max_frame, said.durability});
        return hello;
    }

    void ack(std::uint64_t upto, credit_window credit = {1000000, 100000000}) { send(ack_frame{upto, upto, upto, 0, credit}); }

    // Says no more, and reads no more.
    void cut() { socket_ = file_descriptor(); }
    int descriptor() const { return socket_.get(); }

private:
    bool fill(byte_vector& into) {
        for (std::size_t at = 0; at < into.size();) {
            const ssize_t got = recv(socket_.get(), into.data() + at, into.size() - at, 0);
            if (got <= 0) {
                return false;
            }
            at += static_cast<std::size_t>(got);
        }
        return true;
    }

    file_descriptor socket_;
};

class Server {
public:
    explicit Server(int receive_buffer = 0) : listener_(socket(AF_INET, SOCK_STREAM, 0)) {
        if (receive_buffer > 0) {
            setsockopt(listener_.get(), SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
        }
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        EXPECT_EQ(listen(listener_.get(), 16), 0);
        socklen_t size = sizeof address;
        getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size);
        port_ = ntohs(address.sin_port);
    }

    Peer accept() {
        pollfd wanted{listener_.get(), POLLIN, 0};
        EXPECT_EQ(poll(&wanted, 1, 5000), 1) << "nobody connected";
        return Peer(::accept(listener_.get(), nullptr, nullptr));
    }

    endpoint address() const { return {"127.0.0.1", std::to_string(port_)}; }

    // The options of a test's client, which is patient with nothing.
    client_config config() const {
        client_config config;
        config.address = address();
        config.linger = 1ms;
        config.least_backoff = 1ms;
        config.most_backoff = 10ms;
        return config;
    }

private:
    file_descriptor listener_;
    std::uint16_t port_ = 0;
};

using Connecting = std::future<result<std::unique_ptr<client>>>;

inline Connecting connecting(client_config config) {
    return std::async(std::launch::async, [config = std::move(config)] { return client::connect(config); });
}

// A client that has shaken hands with `peer`.
struct Pair {
    Pair(Server& server, client_config config, std::uint64_t last = 0, credit_window credit = {1000000, 100000000})
        : peer([&] {
              auto future = connecting(std::move(config));
              Peer accepted = server.accept();
              hello = accepted.greet(last, credit);
              auto connected = future.get();
              EXPECT_TRUE(connected) << connected.error().text;
              client = std::move(*connected);
              return accepted;
          }()) {}

    Got hello;
    std::unique_ptr<aldis::transport::client> client;
    Peer peer;
};

}  // namespace fake
