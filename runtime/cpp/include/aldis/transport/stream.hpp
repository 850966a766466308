// Byte streams that do not block, and the TCP one.
#pragma once

#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
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

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;

// A file descriptor that closes itself.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() {
        if (number_ >= 0) {
            close(number_);
        }
    }

    int get() const { return number_; }

private:
    int number_ = -1;
};

// What a read or a write came to: `size` bytes went; when 0, the events of `poll` to wait for before the next try.
struct Moved {
    std::size_t size = 0;
    short waits_for = 0;
};

// A connected stream. Calls never block; an error says that the stream is at its end or broken.
class Stream {
public:
    virtual ~Stream() = default;
    virtual Result<Moved> read(std::span<std::byte> into) = 0;
    // Writes some of `head`, and when all of it some of `body`.
    virtual Result<Moved> write(Bytes head, Bytes body) = 0;
    virtual int descriptor() const = 0;
};

struct Address {
    std::string host;
    std::string port;
};

// Opens a stream before `deadline`, or gives up earlier when `interrupt` becomes readable.
using Connector = std::function<Result<std::unique_ptr<Stream>>(const Address&, TimePoint deadline, int interrupt)>;

namespace detail {

inline Error lost(const std::string& what, int number) {
    return {Code::disconnected, what + ": " + std::strerror(number)};
}

// Waits for `events` on a descriptor.
inline Result<void> wait_for(int descriptor, short events, TimePoint deadline, int interrupt) {
    while (true) {
        std::array<pollfd, 2> wanted{pollfd{descriptor, events, 0}, pollfd{interrupt, POLLIN, 0}};
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) {
            return Error{Code::disconnected, "no connection in time"};
        }
        const int ready = poll(wanted.data(), wanted.size(), static_cast<int>(std::min<long long>(left, 1 << 30)));
        if (ready < 0 && errno != EINTR) {
            return lost("poll", errno);
        }
        if (wanted[1].revents != 0) {
            return Error{Code::closed, "interrupted"};
        }
        if (wanted[0].revents != 0) {
            return {};
        }
    }
}

inline Result<Descriptor> connect_one(const addrinfo& info, TimePoint deadline, int interrupt) {
    Descriptor socket(::socket(info.ai_family, info.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, info.ai_protocol));
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
inline Result<Descriptor> connect_tcp(const Address& address, TimePoint deadline, int interrupt) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int problem = getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found); problem != 0) {
        return Error{Code::disconnected, "no address of " + address.host + ": " + gai_strerror(problem)};
    }
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> all(found, &freeaddrinfo);
    Error last{Code::disconnected, "no address of " + address.host};
    for (const addrinfo* info = all.get(); info != nullptr; info = info->ai_next) {
        auto socket = connect_one(*info, deadline, interrupt);
        if (socket || socket.error().code == Code::closed) {
            return socket;
        }
        last = socket.error();
    }
    last.text = address.host + ":" + address.port + ": " + last.text;
    return last;
}

class TcpStream final : public Stream {
public:
    explicit TcpStream(Descriptor socket) : socket_(std::move(socket)) {}

    Result<Moved> read(std::span<std::byte> into) override {
        const ssize_t got = recv(socket_.get(), into.data(), into.size(), 0);
        if (got == 0) {
            return Error{Code::disconnected, "the server closed the connection"};
        }
        return moved(got, POLLIN, "recv");
    }

    Result<Moved> write(Bytes head, Bytes body) override {
        std::array<iovec, 2> parts{iovec{const_cast<std::byte*>(head.data()), head.size()},
                                   iovec{const_cast<std::byte*>(body.data()), body.size()}};
        msghdr message{};
        message.msg_iov = parts.data();
        message.msg_iovlen = parts.size();
        return moved(sendmsg(socket_.get(), &message, MSG_NOSIGNAL), POLLOUT, "send");
    }

    int descriptor() const override { return socket_.get(); }

private:
    static Result<Moved> moved(ssize_t size, short waits_for, const char* what) {
        if (size >= 0) {
            return Moved{static_cast<std::size_t>(size), waits_for};
        }
        if (errno == EAGAIN || errno == EINTR) {
            return Moved{0, waits_for};
        }
        return lost(what, errno);
    }

    Descriptor socket_;
};

}  // namespace detail

// Connects by TCP, without Nagle's delay.
inline Connector tcp() {
    return [](const Address& address, TimePoint deadline, int interrupt) -> Result<std::unique_ptr<Stream>> {
        auto socket = detail::connect_tcp(address, deadline, interrupt);
        if (!socket) {
            return socket.error();
        }
        return std::unique_ptr<Stream>(std::make_unique<detail::TcpStream>(std::move(*socket)));
    };
}

}  // namespace aldis::transport
