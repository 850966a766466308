// A plain acknowledging TCP server: receives, walks the headers of whole messages, acknowledges.
//   ack_server sync_ack|request_reply [--port PORT] [--buffer BYTES]
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
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t id_size = 8;
constexpr std::size_t header_size = id_size + 4;
constexpr std::uint32_t largest_payload = 64U << 20;

struct Settings {
    bool request_reply = false;
    std::uint16_t port = 0;
    std::size_t buffer = 128U << 10;
};

bool send_all(int connection, const char* bytes, std::size_t size) {
    while (size > 0) {
        const ssize_t sent = send(connection, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return false;
        }
        bytes += sent;
        size -= static_cast<std::size_t>(sent);
    }
    return true;
}

template <bool BigEndian>
std::uint32_t payload_size(const char* header) {
    std::uint32_t size = 0;
    std::memcpy(&size, header + id_size, sizeof size);
    return BigEndian ? ntohl(size) : le32toh(size);
}

// One ack for a receive: the last id, and how many messages before it have no ack of their own.
struct SyncAck {
    static constexpr bool big_endian = false;
    const char* last = nullptr;
    std::uint32_t count = 0;

    void message(const char* id) {
        last = id;
        ++count;
    }
    bool flush(int connection) {
        if (count == 0) {
            return true;
        }
        char ack[header_size];
        const std::uint32_t skipped = htole32(count - 1);
        std::memcpy(ack, last, id_size);
        std::memcpy(ack + id_size, &skipped, sizeof skipped);
        count = 0;
        return send_all(connection, ack, sizeof ack);
    }
};

// Each message's id goes back.
struct RequestReply {
    static constexpr bool big_endian = true;
    std::vector<char> ids;

    void message(const char* id) { ids.insert(ids.end(), id, id + id_size); }
    bool flush(int connection) {
        const bool sent = send_all(connection, ids.data(), ids.size());
        ids.clear();
        return sent;
    }
};

// Serves until the client goes or announces more than the largest message.
template <class Ack>
void serve(int connection, std::size_t buffer_size) {
    std::vector<char> buffer(buffer_size);
    std::size_t end = 0;
    Ack ack;
    while (true) {
        const ssize_t got = recv(connection, buffer.data() + end, buffer.size() - end, 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        end += static_cast<std::size_t>(got);
        std::size_t at = 0;
        std::size_t wanted = header_size;
        while (end - at >= header_size) {
            const std::uint32_t size = payload_size<Ack::big_endian>(buffer.data() + at);
            wanted = header_size + size;
            if (size > largest_payload || end - at < wanted) {
                break;
            }
            ack.message(buffer.data() + at);
            at += wanted;
            wanted = header_size;
        }
        if (wanted > header_size + largest_payload || !ack.flush(connection)) {
            break;
        }
        std::memmove(buffer.data(), buffer.data() + at, end - at);
        end -= at;
        if (wanted > buffer.size()) {
            buffer.resize(wanted);
        }
    }
    close(connection);
}

int listen_on(std::uint16_t port) {
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    const int on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || listen(listener, 1024) != 0) {
        std::perror("ack_server: cannot listen");
        std::exit(1);
    }
    socklen_t length = sizeof address;
    getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length);
    std::printf("listening %u\n", static_cast<unsigned>(ntohs(address.sin_port)));
    std::fflush(stdout);
    return listener;
}

[[noreturn]] void usage() {
    std::fputs("usage: ack_server sync_ack|request_reply [--port PORT] [--buffer BYTES]\n", stderr);
    std::exit(2);
}

Settings settings_of(int count, char** words) {
    Settings settings;
    if (count < 2 || count % 2 != 0) {
        usage();
    }
    const std::string_view mode = words[1];
    settings.request_reply = mode == "request_reply";
    if (!settings.request_reply && mode != "sync_ack") {
        usage();
    }
    for (int i = 2; i < count; i += 2) {
        const std::string_view name = words[i];
        const unsigned long value = std::strtoul(words[i + 1], nullptr, 10);
        if (name == "--port" && value <= 65535) {
            settings.port = static_cast<std::uint16_t>(value);
        } else if (name == "--buffer" && value >= header_size) {
            settings.buffer = value;
        } else {
            usage();
        }
    }
    return settings;
}

}  // namespace

int main(int count, char** words) {
    const Settings settings = settings_of(count, words);
    const int listener = listen_on(settings.port);
    while (true) {
        const int connection = accept(listener, nullptr, nullptr);
        if (connection < 0) {
            continue;
        }
        const int on = 1;
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        const auto work = settings.request_reply ? serve<RequestReply> : serve<SyncAck>;
        std::thread(work, connection, settings.buffer).detach();
    }
}
