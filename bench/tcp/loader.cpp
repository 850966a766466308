// A load generator for acknowledging TCP servers: writes batches within a window, checks every ack, and prints one line
// of JSON. One thread that never blocks on a full socket, so that the other core is the server's.
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <span>
#include <type_traits>
#include <vector>

#include "histogram.hpp"
#include "legacy.hpp"
#include "native.hpp"
#include "options.hpp"
#include "socket.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// After so long without an ack the server is taken for stuck.
constexpr auto patience = 10s;

// The last message of a write, and when the write began.
struct Write {
    std::uint64_t last;
    Clock::time_point begin;
};

struct Result {
    std::uint64_t messages = 0;
    // With those before the first second and after the last.
    std::uint64_t sent = 0;
    double seconds = 0;
    loader::Histogram latency;
};

template <class Protocol>
class Run {
public:
    Run(const loader::Options& options, int socket)
        : options_(options), socket_(socket), protocol_(options), in_(256U << 10) {}

    Result run() {
        protocol_.handshake(socket_);
        loader::do_not_block(socket_);
        const auto measured_from = Clock::now() + duration(options_.warmup);
        const auto measured_to = measured_from + duration(options_.seconds);
        last_ack_ = Clock::now();
        bool sending = true;
        Clock::time_point begin{};
        std::uint64_t acked_before = 0;
        Result result;
        while (sending || acked_ < sent_) {
            const auto now = Clock::now();
            if (!measuring_ && now >= measured_from) {
                measuring_ = true;
                begin = now;
                acked_before = acked_;
            }
            if (sending && now >= measured_to) {
                sending = measuring_ = false;
                result.messages = acked_ - acked_before;
                result.seconds = std::chrono::duration<double>(now - begin).count();
            }
            step(sending, now);
        }
        result.sent = sent_;
        result.latency = latency_;
        return result;
    }

private:
    static Clock::duration duration(double seconds) {
        return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    bool may_send() const {
        const std::uint64_t window = std::min(options_.window, protocol_.credit());
        return sent_ - acked_ + options_.batch <= window;
    }

    // Writes what may be written and reads what is there; waits when neither goes on.
    void step(bool sending, Clock::time_point now) {
        if (out_.empty()) {
            out_ = protocol_.control();
        }
        if (out_.empty() && sending && may_send()) {
            out_ = protocol_.batch(sent_ + 1, options_.batch);
            sent_ += options_.batch;
            writes_.push_back({sent_, now});
        }
        std::size_t sent = 0;
        if (!out_.empty()) {
            sent = loader::send_some(socket_, out_);
            out_ = out_.subspan(sent);
        }
        const bool received = receive();
        const bool can_write = out_.empty() && sending && may_send();
        if (!received && sent == 0 && !can_write) {
            wait(now);
        }
    }

    bool receive() {
        const std::size_t got = loader::receive_some(socket_, in_);
        if (got == 0) {
            return false;
        }
        const std::uint64_t acked = protocol_.receive(std::span(in_).first(got));
        if (acked > sent_) {
            loader::fail("an ack of what was not sent");
        }
        last_ack_ = Clock::now();
        note(acked);
        return true;
    }

    // Every message up to `acked` took from the begin of its write until now.
    void note(std::uint64_t acked) {
        while (acked_ < acked) {
            const Write& write = writes_.front();
            const std::uint64_t upto = std::min(acked, write.last);
            if (measuring_) {
                const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(last_ack_ - write.begin);
                latency_.add(static_cast<std::uint64_t>(took.count()), upto - acked_);
            }
            acked_ = upto;
            if (acked_ == write.last) {
                writes_.pop_front();
            }
        }
    }

    void wait(Clock::time_point now) {
        if (sent_ > acked_ && now - last_ack_ > patience) {
            loader::fail("no ack for 10 s; " + std::to_string(sent_ - acked_) + " messages are outstanding");
        }
        pollfd wanted{socket_, static_cast<short>(POLLIN | (out_.empty() ? 0 : POLLOUT)), 0};
        poll(&wanted, 1, 1000);
    }

    const loader::Options& options_;
    int socket_;
    Protocol protocol_;
    std::vector<std::byte> in_;
    std::span<const std::byte> out_;
    std::deque<Write> writes_;
    std::uint64_t sent_ = 0;
    std::uint64_t acked_ = 0;
    bool measuring_ = false;
    Clock::time_point last_ack_;
    loader::Histogram latency_;
};

void print(const loader::Options& options, const Result& result, std::size_t wire_size) {
    const double rate = static_cast<double>(result.messages) / result.seconds;
    std::printf(
        "{\"mode\":\"%s\",\"payload\":%u,\"window\":%llu,\"batch\":%llu,\"checksum\":%s,\"durability\":%u,"
        "\"seconds\":%.3f,\"messages\":%llu,\"sent\":%llu,\"messages_per_second\":%.0f,\"payload_bytes_per_second\":%.0f,"
        "\"wire_bytes_per_second\":%.0f,\"latency_ns\":{\"p50\":%llu,\"p99\":%llu,\"max\":%llu},\"acks_verified\":true}\n",
        options.mode_name.c_str(), options.payload, static_cast<unsigned long long>(options.window),
        static_cast<unsigned long long>(options.batch), options.checksum ? "true" : "false", options.durability,
        result.seconds, static_cast<unsigned long long>(result.messages), static_cast<unsigned long long>(result.sent), rate, rate * options.payload,
        rate * static_cast<double>(wire_size), static_cast<unsigned long long>(result.latency.quantile(0.5)),
        static_cast<unsigned long long>(result.latency.quantile(0.99)),
        static_cast<unsigned long long>(result.latency.max()));
}

template <class Protocol>
void measure(const loader::Options& options) {
    Run<Protocol> run(options, loader::connect_to(options));
    const Result result = run.run();
    print(options, result, Protocol(options).wire_size());
}

// Opens connections, says how many, and holds them until standard input ends.
void hold(const loader::Options& options) {
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    for (std::uint64_t i = 0; i < options.connections; ++i) {
        loader::connect_to(options);
    }
    std::printf("{\"mode\":\"idle\",\"connections\":%llu}\n", static_cast<unsigned long long>(options.connections));
    std::fflush(stdout);
    std::array<char, 256> ignored{};
    while (read(STDIN_FILENO, ignored.data(), ignored.size()) > 0) {
    }
}

}  // namespace

int main(int count, char** words) {
    const loader::Options options = loader::options_of(count, words);
    switch (options.mode) {
        case loader::Mode::sync_ack:
        case loader::Mode::request_reply:
            measure<loader::Legacy>(options);
            break;
        case loader::Mode::batch:
        case loader::Mode::request:
            measure<loader::Native>(options);
            break;
        case loader::Mode::idle:
            hold(options);
    }
}
