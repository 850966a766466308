// Byte streams that do not block, and the TCP one.
#pragma once

#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "bytes.hpp"
#include "result.hpp"

namespace aldis::transport {

using steady_clock = std::chrono::steady_clock;
using time_point = steady_clock::time_point;

// A file descriptor that closes itself.
class file_descriptor {
public:
    file_descriptor() = default;
    explicit file_descriptor(int number) : number_(number) {}
    file_descriptor(file_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    file_descriptor& operator=(file_descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~file_descriptor() {
        if (number_ >= 0) {
            close(number_);
        }
    }

    int get() const { return number_; }

private:
    int number_ = -1;
};

// Ends another thread's `poll`.
class wake_event {
public:
    int descriptor() const { return number_.get(); }

    void call() const {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t written = write(number_.get(), &one, sizeof one);
    }

    // Calls that came so far end nothing more.
    void forget() const {
        std::uint64_t ignored = 0;
        [[maybe_unused]] const ssize_t size = read(number_.get(), &ignored, sizeof ignored);
    }

private:
    file_descriptor number_{eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
};

// The result of a read or a write: `size` bytes went; when 0, the events of `poll` to wait for before the next try.
struct io_progress {
    std::size_t size = 0;
    short waits_for = 0;
};

// A connected stream. Calls never block; an error says that the stream is at its end or broken.
class byte_stream {
public:
    virtual ~byte_stream() = default;
    virtual result<io_progress> read(std::span<std::byte> into) = 0;
    // Writes some of `head`, and when all of it some of `body`.
    virtual result<io_progress> write(bytes_view head, bytes_view body) = 0;
    virtual int descriptor() const = 0;
};

struct endpoint {
    std::string host;
    std::string port;
};

// Opens a stream before `deadline`, or gives up earlier when `interrupt` becomes readable.
using connect_function =
    std::function<result<std::unique_ptr<byte_stream>>(const endpoint&, time_point deadline, int interrupt)>;

namespace detail {

inline error lost(const std::string& what, int number) {
    return {error_code::disconnected, what + ": " + std::strerror(number)};
}

// Waits for `events` on a descriptor.
inline result<void> wait_for(int descriptor, short events, time_point deadline, int interrupt) {
    while (true) {
        std::array<pollfd, 2> wanted{pollfd{descriptor, events, 0}, pollfd{interrupt, POLLIN, 0}};
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
        if (left <= 0) {
            return error{error_code::disconnected, "no connection in time"};
        }
        const int ready = poll(wanted.data(), wanted.size(), static_cast<int>(std::min<long long>(left, 1 << 30)));
        if (ready < 0 && errno != EINTR) {
            return lost("poll", errno);
        }
        if (wanted[1].revents != 0) {
            return error{error_code::closed, "interrupted"};
        }
        if (wanted[0].revents != 0) {
            return {};
        }
    }
}

inline result<file_descriptor> connect_one(const addrinfo& info, time_point deadline, int interrupt) {
    file_descriptor socket(::socket(info.ai_family, info.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, info.ai_protocol));
    if (socket.get() < 0) {
        return lost("socket", errno);
    }
    if (connect(socket.get(), info.ai_addr, info.ai_addrlen) != 0) {
        if (errno != EINPROGRESS) {
            return lost("connect", errno);
        }
        if (const auto waited = wait_for(socket.get(), POLLOUT, deadline, interrupt); !waited) {
            return waited.error();
        }
        int problem = 0;
        socklen_t size = sizeof problem;
        getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &problem, &size);
        if (problem != 0) {
            return lost("connect", problem);
        }
    }
    const int on = 1;
    setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return socket;
}

// Tries all addresses of a host in the order that the resolver gives.
inline result<file_descriptor> connect_tcp(const endpoint& address, time_point deadline, int interrupt) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int problem = getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found); problem != 0) {
        return error{error_code::disconnected, "no address of " + address.host + ": " + gai_strerror(problem)};
    }
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> all(found, &freeaddrinfo);
    error last{error_code::disconnected, "no address of " + address.host};
    for (const addrinfo* info = all.get(); info != nullptr; info = info->ai_next) {
        auto socket = connect_one(*info, deadline, interrupt);
        if (socket || socket.error().code == error_code::closed) {
            return socket;
        }
        last = socket.error();
    }
    last.text = address.host + ":" + address.port + ": " + last.text;
    return last;
}

class tcp_stream final : public byte_stream {
public:
    explicit tcp_stream(file_descriptor socket) : socket_(std::move(socket)) {}

    result<io_progress> read(std::span<std::byte> into) override {
        const ssize_t got = recv(socket_.get(), into.data(), into.size(), 0);
        if (got == 0) {
            return error{error_code::disconnected, "the server closed the connection"};
        }
        return moved(got, POLLIN, "recv");
    }

    result<io_progress> write(bytes_view head, bytes_view body) override {
        std::array<iovec, 2> parts{iovec{const_cast<std::byte*>(head.data()), head.size()},
                                   iovec{const_cast<std::byte*>(body.data()), body.size()}};
        msghdr message{};
        message.msg_iov = parts.data();
        message.msg_iovlen = parts.size();
        return moved(sendmsg(socket_.get(), &message, MSG_NOSIGNAL), POLLOUT, "send");
    }

    int descriptor() const override { return socket_.get(); }

private:
    static result<io_progress> moved(ssize_t size, short waits_for, const char* what) {
        if (size >= 0) {
            return io_progress{static_cast<std::size_t>(size), waits_for};
        }
        if (errno == EAGAIN || errno == EINTR) {
            return io_progress{0, waits_for};
        }
        return lost(what, errno);
    }

    file_descriptor socket_;
};

}  // namespace detail

// Connects by TCP, without Nagle's delay.
inline connect_function tcp() {
    return [](const endpoint& address, time_point deadline, int interrupt) -> result<std::unique_ptr<byte_stream>> {
        auto socket = detail::connect_tcp(address, deadline, interrupt);
        if (!socket) {
            return socket.error();
        }
        return std::unique_ptr<byte_stream>(std::make_unique<detail::tcp_stream>(std::move(*socket)));
    };
}

}  // namespace aldis::transport
