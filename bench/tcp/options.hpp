// The options on the load generator's command line.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace loader {

enum class Mode { sync_ack, request_reply, batch, request, idle };

struct Options {
    Mode mode = Mode::sync_ack;
    std::string mode_name;
    std::string host = "127.0.0.1";
    std::uint16_t port = 0;
    std::uint32_t payload = 32;     // bytes a message
    std::uint64_t window = 4000;    // messages sent and not yet acked, at most
    std::uint64_t batch = 1000;     // messages a write
    bool checksum = true;
    std::uint8_t durability = 1;    // 0 received, 1 handled, 2 durable, 3 replicated
    double seconds = 5;
    double warmup = 1;
    std::uint64_t connections = 1;  // mode idle
};

inline constexpr const char* usage_text =
    "usage: loader MODE --port PORT [OPTION VALUE]...\n"
    "modes\n"
    "  sync_ack, request_reply  the legacy modes\n"
    "  batch, request           aldis/1: batches and acks, requests and replies\n"
    "  idle                     only holds connections until standard input ends\n"
    "options\n"
    "  --host ADDRESS (127.0.0.1)  IPv4\n"
    "  --payload BYTES (32)        of a message; from 8 on, the first 8 are its number\n"
    "  --window MESSAGES (4000)    outstanding at most; a multiple of the batch\n"
    "  --batch MESSAGES (1000)     a write, and in aldis/1 a frame\n"
    "  --checksum on|off (on)      mode batch\n"
    "  --durability received|handled|durable|replicated (handled)  mode batch\n"
    "  --seconds S (5)  --warmup S (1)\n"
    "  --connections N (1)         mode idle\n";

[[noreturn]] inline void usage(const std::string& what) {
    std::fprintf(stderr, "loader: %s\n%s", what.c_str(), usage_text);
    std::exit(2);
}

[[noreturn]] inline void fail(const std::string& what) {
    std::fprintf(stderr, "loader: %s\n", what.c_str());
    std::exit(1);
}

inline double number(std::string_view name, const char* text, double least, double most) {
    char* end = nullptr;
    const double value = std::strtod(text, &end);
    if (end == text || *end != 0 || !(value >= least && value <= most)) {
        usage(std::string(name) + " takes a number, not " + text);
    }
    return value;
}

template <class T>
T whole(std::string_view name, const char* text, double least, double most) {
    return static_cast<T>(number(name, text, least, most));
}

inline Mode mode_of(std::string_view name) {
    constexpr std::string_view names[] = {"sync_ack", "request_reply", "batch", "request", "idle"};
    for (int i = 0; i < 5; ++i) {
        if (name == names[i]) {
            return static_cast<Mode>(i);
        }
    }
    usage("no mode " + std::string(name));
}

inline std::uint8_t durability_of(std::string_view name) {
    constexpr std::string_view names[] = {"received", "handled", "durable", "replicated"};
    for (std::uint8_t i = 0; i < 4; ++i) {
        if (name == names[i]) {
            return i;
        }
    }
    usage("no durability " + std::string(name));
}

inline void set(Options& options, std::string_view name, const char* value) {
    if (name == "--host") {
        options.host = value;
    } else if (name == "--port") {
        options.port = whole<std::uint16_t>(name, value, 1, 65535);
    } else if (name == "--payload") {
        options.payload = whole<std::uint32_t>(name, value, 0, 64 << 20);
    } else if (name == "--window") {
        options.window = whole<std::uint64_t>(name, value, 1, 1e9);
    } else if (name == "--batch") {
        options.batch = whole<std::uint64_t>(name, value, 1, 1e7);
    } else if (name == "--checksum") {
        if (std::string_view(value) != "on" && std::string_view(value) != "off") {
            usage("--checksum is on or off");
        }
        options.checksum = std::string_view(value) == "on";
    } else if (name == "--durability") {
        options.durability = durability_of(value);
    } else if (name == "--seconds") {
        options.seconds = number(name, value, 0.001, 1e6);
    } else if (name == "--warmup") {
        options.warmup = number(name, value, 0, 1e6);
    } else if (name == "--connections") {
        options.connections = whole<std::uint64_t>(name, value, 1, 1e6);
    } else {
        usage("no option " + std::string(name));
    }
}

inline Options options_of(int count, char** words) {
    if (count < 2 || count % 2 != 0) {
        usage("a mode, and a value for each option");
    }
    Options options;
    options.mode_name = words[1];
    options.mode = mode_of(words[1]);
    if (options.mode == Mode::request_reply || options.mode == Mode::request) {
        options.window = options.batch = 1;
    }
    for (int i = 2; i < count; i += 2) {
        set(options, words[i], words[i + 1]);
    }
    if (options.port == 0) {
        usage("--port is missing");
    }
    if (options.batch > options.window) {
        usage("the window must hold a batch");
    }
    return options;
}

}  // namespace loader
