// A producer of the torture test over the C++ client; see producer.py for what it takes and does.
//   producer-cpp PORT PRODUCER EPOCH JOURNAL
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <aldis/transport/client.hpp>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;
using aldis::transport::byte_vector;
using aldis::transport::client;
using aldis::transport::client_config;

constexpr auto patience = 60s;
constexpr auto pace = 2ms;

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "producer: %s\n", what.c_str());
    std::exit(1);
}

// As messages.py says.
std::size_t filling(std::uint32_t epoch, std::uint64_t sequence) {
    const auto mixed = static_cast<std::uint32_t>((sequence + 7919ULL * epoch) * 2654435761ULL);
    const std::uint32_t kind = mixed >> 24;
    return kind < 4 ? mixed & 0xFFFF : mixed & (kind < 128 ? 0x3F : 0x3FF);
}

byte_vector message(const aldis::transport::producer_id& producer, std::uint32_t epoch, std::uint64_t sequence) {
    byte_vector bytes(producer.begin(), producer.end());
    const auto put = [&bytes](std::uint64_t value, int size) {
        for (int i = 0; i < size; ++i) {
            bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
        }
    };
    put(epoch, 4);
    put(sequence, 8);
    const std::size_t start = sequence & 0xFF;
    for (std::size_t i = start; i < start + filling(epoch, sequence); ++i) {
        bytes.push_back(static_cast<std::byte>(131 * i + 17 * (i >> 8)));
    }
    return bytes;
}

class Journal {
public:
    explicit Journal(const char* path) : file_(open(path, O_WRONLY | O_CREAT | O_APPEND, 0644)) {
        if (file_ < 0) {
            fail(std::string("cannot open ") + path);
        }
    }
    void sending(std::uint64_t upto) { note("sending ", upto); }
    void acked(std::uint64_t upto) { note("acked ", upto); }

private:
    void note(const char* what, std::uint64_t upto) {
        const std::string line = what + std::to_string(upto) + "\n";
        if (write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
            fail("cannot write the journal");
        }
    }
    int file_;
};

client_config config_of(char** words, Journal& journal) {
    client_config config;
    config.address = {"127.0.0.1", words[1]};
    const std::string name = words[2];
    for (std::size_t i = 0; i < config.producer.size(); ++i) {
        config.producer[i] = static_cast<std::byte>(std::stoi(name.substr(2 * i, 2), nullptr, 16));
    }
    config.epoch = static_cast<std::uint32_t>(std::atoi(words[3]));
    config.durability = aldis::transport::durability_level::durable;
    config.max_kept_bytes = 1U << 20;
    config.most_backoff = 200ms;
    config.ping_after = 2s;
    config.on_ack = [&journal](const aldis::transport::watermarks& marks) { journal.acked(marks.acked); };
    return config;
}

// The first connection may be cut like any other.
std::unique_ptr<client> connected(const client_config& config) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (true) {
        auto client = client::connect(config);
        if (client) {
            return std::move(*client);
        }
        if (std::chrono::steady_clock::now() > deadline) {
            fail("cannot connect: " + client.error().text);
        }
        std::this_thread::sleep_for(50ms);
    }
}

// Whether standard input is still open; nothing is ever written to it.
bool wanted() {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    return poll(&input, 1, 0) == 0;
}

}  // namespace

int main(int count, char** words) {
    if (count != 5) {
        fail("usage: producer-cpp PORT PRODUCER EPOCH JOURNAL");
    }
    Journal journal(words[4]);
    const client_config config = config_of(words, journal);
    const auto client = connected(config);
    std::uint64_t sequence = client->acked();
    journal.acked(sequence);
    for (unsigned batch = 1; wanted(); batch = batch * 31 % 61) {
        journal.sending(sequence + batch);
        for (const std::uint64_t end = sequence + batch; sequence < end;) {
            const auto sent = client->send(message(config.producer, config.epoch, ++sequence));
            if (!sent || *sent != sequence) {
                fail(sent ? "message " + std::to_string(sequence) + " got another number" : sent.error().text);
            }
        }
        std::this_thread::sleep_for(pace);
    }
    if (const auto flushed = client->flush(patience); !flushed) {
        fail("not all acked: " + flushed.error().text);
    }
    if (client->epoch() != config.epoch) {
        fail("the server has forgotten this producer");
    }
}
