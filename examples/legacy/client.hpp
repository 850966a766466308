// A client of the patterns of acknowledged TCP that came before aldis/1: one thread writes messages, the other reads acks
// and checks that every message was acked, in order, once.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

namespace legacy {

enum class Order { little, big };

// The content of an ack: the id alone for each message, or the id and how many before it were skipped.
enum class Ack { each, skipping };

struct Pattern {
    Order size_order;
    Ack ack;
};

[[noreturn]] inline void fail(const char* what) {
    std::fprintf(stderr, "%s: %s\n", what, errno == 0 ? "unexpected" : std::strerror(errno));
    std::exit(1);
}

inline void put(std::string& out, std::uint64_t value, int bytes, Order order) {
    for (int i = 0; i < bytes; ++i) {
        const int shift = 8 * (order == Order::little ? i : bytes - 1 - i);
        out.push_back(static_cast<char>(value >> shift & 0xFF));
    }
}

inline std::uint64_t get_little(const unsigned char* bytes, int count) {
    std::uint64_t value = 0;
    for (int i = count; i-- > 0;) value = value << 8 | bytes[i];
    return value;
}

inline int connect_to(std::uint16_t port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail("connect");
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

// A write may take only a part of what it is given.
inline void write_all(int fd, const std::string& bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t wrote = ::send(fd, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
        if (wrote > 0) done += static_cast<std::size_t>(wrote);
        else if (errno != EINTR) fail("send");
    }
}

// An ack may come in parts. False when the server has closed before the first byte of it.
inline bool read_exactly(int fd, unsigned char* bytes, std::size_t count) {
    for (std::size_t done = 0; done < count;) {
        const ssize_t got = ::recv(fd, bytes + done, count - done, 0);
        if (got > 0) done += static_cast<std::size_t>(got);
        else if (got == 0 && done == 0) return false;
        else if (got == 0 || errno != EINTR) fail("recv");
    }
    return true;
}

// Messages of 0 to 999 bytes, several in a write and one in several writes.
inline void send_messages(int fd, const Pattern& pattern, std::uint64_t count) {
    std::string pending;
    for (std::uint64_t id = 1; id <= count; ++id) {
        const std::size_t size = id * 7919 % 1000;
        put(pending, id, 8, Order::little);
        put(pending, size, 4, pattern.size_order);
        pending.append(size, 'x');
        if (id % 13 == 0) {
            const std::size_t cut = pending.size() / 3;
            write_all(fd, pending.substr(0, cut));
            pending.erase(0, cut);
        }
    }
    write_all(fd, pending);
    // Nothing more will come, and all acks are still wanted.
    if (::shutdown(fd, SHUT_WR) != 0) fail("shutdown");
}

// Reads acks until the server closes, and returns the last id.
inline std::uint64_t read_acks(int fd, const Pattern& pattern) {
    std::uint64_t last = 0;
    unsigned char bytes[12];
    const std::size_t size = pattern.ack == Ack::each ? 8 : 12;
    while (read_exactly(fd, bytes, size)) {
        const std::uint64_t id = get_little(bytes, 8);
        const std::uint64_t skipped = pattern.ack == Ack::each ? 0 : get_little(bytes + 8, 4);
        errno = 0;
        if (last + skipped + 1 != id) fail("ack out of order");
        last = id;
    }
    return last;
}

// PROGRAM PORT COUNT: exits with 0 when all messages were acked.
inline int run(int argc, char** argv, const Pattern& pattern) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s PORT COUNT\n", argv[0]);
        return 2;
    }
    const int fd = connect_to(static_cast<std::uint16_t>(std::strtoul(argv[1], nullptr, 10)));
    const std::uint64_t count = std::strtoull(argv[2], nullptr, 10);
    std::thread writer(send_messages, fd, pattern, count);
    const std::uint64_t last = read_acks(fd, pattern);
    writer.join();
    ::close(fd);
    std::printf("%llu of %llu messages acked\n", static_cast<unsigned long long>(last), static_cast<unsigned long long>(count));
    return last == count ? 0 : 1;
}

}  // namespace legacy
