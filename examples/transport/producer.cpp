// Streams a file of messages, each behind its length as u32 (little-endian), through aldis/1 until all are acknowledged.
//   producer PORT FILE [received|handled|durable]
// Prints how many messages there were, their bytes, the nanoseconds until the last acknowledgement, and the median and the 99th
// percentile of the time from a message's send to its acknowledgement.
#include <aldis/transport/client.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iterator>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using steady_clock = std::chrono::steady_clock;
using aldis::transport::bytes_view;
using aldis::transport::durability_level;

// Messages that are given to the client at once.
constexpr std::size_t at_once = 256;

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "producer: %s\n", what.c_str());
    std::exit(1);
}

std::vector<std::byte> contents(const char* path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    std::vector<std::byte> bytes(file ? static_cast<std::size_t>(file.tellg()) : 0);
    if (!file.seekg(0) || !file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()))) {
        fail(std::string("cannot read ") + path);
    }
    return bytes;
}

std::vector<bytes_view> messages_of(std::span<const std::byte> bytes) {
    std::vector<bytes_view> messages;
    while (!bytes.empty()) {
        const std::size_t size = bytes.size() < 4 ? bytes.size() : aldis::transport::load<std::uint32_t>(bytes.data());
        if (bytes.size() < 4 || bytes.size() - 4 < size) {
            fail("the file ends in the middle of a message");
        }
        messages.push_back(bytes.subspan(4, size));
        bytes = bytes.subspan(4 + size);
    }
    return messages;
}

// How long messages took from their send to their acknowledgement.
class Latency {
public:
    // Before messages up to `last` are sent.
    void sending(std::uint64_t last) {
        const std::lock_guard guard(mutex_);
        open_.push_back({last, steady_clock::now()});
    }
    void acked(std::uint64_t upto) {
        const auto now = steady_clock::now();
        const std::lock_guard guard(mutex_);
        while (acked_ < upto && !open_.empty()) {
            const auto [last, begin] = open_.front();
            const std::uint64_t end = std::min(upto, last);
            took_.push_back({now - begin, end - acked_});
            acked_ = end;
            if (end == last) {
                open_.pop_front();
            }
        }
    }
    // In microseconds, what `share` of the messages do not exceed.
    double quantile(double share) {
        std::sort(took_.begin(), took_.end());
        std::uint64_t seen = 0;
        for (const auto& [took, count] : took_) {
            seen += count;
            if (static_cast<double>(seen) >= share * static_cast<double>(acked_)) {
                return std::chrono::duration<double, std::micro>(took).count();
            }
        }
        return 0;
    }

private:
    std::mutex mutex_;
    std::deque<std::pair<std::uint64_t, steady_clock::time_point>> open_;
    std::vector<std::pair<steady_clock::duration, std::uint64_t>> took_;
    std::uint64_t acked_ = 0;
};

durability_level durability_of(std::string_view name) {
    for (const auto& [known, level] : {std::pair{"received", durability_level::received}, std::pair{"handled", durability_level::handled},
                                      std::pair{"durable", durability_level::durable}}) {
        if (name == known) {
            return level;
        }
    }
    fail("no durability " + std::string(name));
}

}  // namespace

int main(int count, char** words) {
    if (count != 3 && count != 4) {
        fail("usage: producer PORT FILE [received|handled|durable]");
    }
    const auto bytes = contents(words[2]);
    const auto messages = messages_of(bytes);
    Latency latency;
    aldis::transport::client_config config;
    config.address = {"127.0.0.1", words[1]};
    // So little that the time until an acknowledgement is not that of a queue in here.
    config.max_kept_bytes = 256U << 10;
    config.durability = durability_of(count == 4 ? words[3] : "durable");
    config.on_ack = [&latency](const aldis::transport::watermarks& marks) { latency.acked(marks.acked); };
    const auto client = aldis::transport::client::connect(config);
    if (!client) {
        fail("cannot connect: " + client.error().text);
    }
    const auto begin = steady_clock::now();
    for (std::size_t at = 0; at < messages.size(); at += at_once) {
        const auto some = std::span(messages).subspan(at, std::min(at_once, messages.size() - at));
        latency.sending(at + some.size());
        if (const auto sent = (*client)->send_all(some); !sent) {
            fail(sent.error().text);
        }
    }
    if (const auto flushed = (*client)->flush(60s); !flushed) {
        fail("not all acknowledged: " + flushed.error().text);
    }
    const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(steady_clock::now() - begin);
    (*client)->close();
    std::printf("%zu %zu %lld %.0f %.0f\n", messages.size(), bytes.size() - 4 * messages.size(),
                static_cast<long long>(took.count()), latency.quantile(0.5), latency.quantile(0.99));
}
