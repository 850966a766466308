// Why a stream of messages cannot go on.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

#include "../result.hpp"

namespace aldis {

/// The kinds of faults of streams. `frame_too_large` to `bad_packing` are of the frames: where the next one begins is
/// then unknown.
enum class stream_code : std::uint8_t {
    /// No fault: what `error()` of a success says.
    none,
    /// A frame of more bytes than the receiver's limit, or a message of more than the sender's framing can say.
    frame_too_large,
    /// A frame whose length is less than what says it.
    frame_too_small,
    /// A message of more segments than are believed.
    too_many_segments,
    /// Packed bytes that unpack to no message: `message` says why.
    bad_packing,
    /// A message in a whole frame that cannot be decoded, or a value that cannot be encoded: `message` says why.
    bad_message,
    /// A request with the id of another one that is still waiting for its answer.
    duplicate_request,
};

/// The code as logs spell it: `frame-too-large`.
constexpr std::string_view to_string(stream_code what) noexcept {
    constexpr std::string_view names[] = {"none",        "frame-too-large", "frame-too-small",  "too-many-segments",
                                          "bad-packing", "bad-message",     "duplicate-request"};
    return names[static_cast<std::size_t>(what)];
}

/// A fault of a stream and its place.
struct stream_error {
    stream_code what = stream_code::none;
    /// The first byte of the frame, counted from 0 over all that was fed, or sent.
    std::uint64_t offset = 0;
    /// Bytes that the frame would have, or how many segments.
    std::uint64_t size = 0;
    /// The most or the least that it may have.
    std::uint64_t bound = 0;
    /// The fault of a message; its offset counts from the message's first byte.
    aldis::error message;

    bool operator==(const stream_error&) const = default;
};

/// `frame-too-large at byte 12 of the stream: 1004, at most 100`
inline std::string to_string(const stream_error& fault) {
    std::string text(to_string(fault.what));
    text += " at byte " + std::to_string(fault.offset) + " of the stream";
    switch (fault.what) {
        case stream_code::frame_too_large:
        case stream_code::too_many_segments:
            return text + ": " + std::to_string(fault.size) + ", at most " + std::to_string(fault.bound);
        case stream_code::frame_too_small:
            return text + ": " + std::to_string(fault.size) + ", at least " + std::to_string(fault.bound);
        case stream_code::bad_packing: return text + ": " + std::string(to_string(fault.message.what));
        case stream_code::bad_message: return text + ": " + to_string(fault.message);
        case stream_code::none:
        case stream_code::duplicate_request: break;
    }
    return text;
}

inline std::ostream& operator<<(std::ostream& out, const stream_error& fault) { return out << to_string(fault); }

/// The result of senders and receivers.
template <class T>
using stream_result = basic_result<T, stream_error>;

}  // namespace aldis
