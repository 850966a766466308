// The few socket calls that the load generator needs.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>

#include "options.hpp"

namespace loader {

inline int connect_to(const Options& options) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(options.port);
    if (inet_pton(AF_INET, options.host.c_str(), &address.sin_addr) != 1) {
        usage("not an IPv4 address: " + options.host);
    }
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0 || connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
        fail("cannot connect to " + options.host + ":" + std::to_string(options.port) + ": " + std::strerror(errno));
    }
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return socket;
}

// How much of `bytes` went out; with a socket that does not block, 0 when there is no room.
inline std::size_t send_some(int socket, std::span<const std::byte> bytes) {
    while (true) {
        const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent >= 0) {
            return static_cast<std::size_t>(sent);
        }
        if (errno == EAGAIN) {
            return 0;
        }
        if (errno != EINTR) {
            fail(std::string("cannot send: ") + std::strerror(errno));
        }
    }
}

// How much came; with a socket that does not block, 0 when nothing is there. The end of the stream is a failure.
inline std::size_t receive_some(int socket, std::span<std::byte> bytes) {
    while (true) {
        const ssize_t got = recv(socket, bytes.data(), bytes.size(), 0);
        if (got > 0) {
            return static_cast<std::size_t>(got);
        }
        if (got == 0) {
            fail("the server closed the connection");
        }
        if (errno == EAGAIN) {
            return 0;
        }
        if (errno != EINTR) {
            fail(std::string("cannot receive: ") + std::strerror(errno));
        }
    }
}

inline void do_not_block(int socket) { fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK); }

}  // namespace loader
