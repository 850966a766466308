// Standard input and output as a stream of bytes each way.
#pragma once

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>

#include <aldis/stream.hpp>

namespace pipes {

/// The message that came.
struct piece {
    aldis::bytes_view bytes;
    bool at_end = false;
};

inline aldis::time_point now() { return std::chrono::steady_clock::now(); }

/// Reads what there is on standard input, waiting for it until `deadline` at most. The bytes are there until the next call.
inline piece read_until(aldis::time_point deadline) {
    // Small, so that most messages come in pieces.
    static std::array<std::byte, 1000> memory;
    int patience = -1;
    if (deadline != aldis::time_point::max()) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - now()).count();
        patience = left > 0 ? static_cast<int>(left) : 0;
    }
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, patience) <= 0) {
        return {};
    }
    const ssize_t size = ::read(STDIN_FILENO, memory.data(), memory.size());
    if (size < 0 && errno == EINTR) {
        return {};
    }
    return size > 0 ? piece{{memory.data(), static_cast<std::size_t>(size)}, false} : piece{{}, true};
}

/// Writes to standard output what it takes, and gives how much that was.
inline std::size_t write_some(aldis::bytes_view bytes) {
    const ssize_t size = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    return size > 0 ? static_cast<std::size_t>(size) : 0;
}

/// Writes all that was sent. False where nobody reads any more.
inline bool write_all(aldis::frame_sender& out) {
    while (!out.bytes().empty()) {
        const std::size_t left = out.bytes().size();
        out.flush(write_some);
        if (out.bytes().size() == left && errno != EINTR) {
            return false;
        }
    }
    return true;
}

}  // namespace pipes
