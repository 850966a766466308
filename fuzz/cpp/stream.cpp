// Bytes of a stream to messages: no cut of the stream and no stop behind a message matters, and what was received can be sent
// again. An input: the framing, the limit, the size of pieces, and the stream.
#include <aldis/stream/frames.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "must.hpp"

namespace {

using aldis::bytes_view;
using aldis::framing;

/// The messages and faults that a receiver found in a stream.
struct heard {
    std::vector<std::vector<std::byte>> messages;
    std::optional<aldis::stream_error> fault;
    std::vector<std::byte> rest;
    std::uint64_t offset = 0;

    bool operator==(const heard&) const = default;
};

constexpr std::array framings{framing::u16le,
                              framing::u16be,
                              framing::u32le,
                              framing::u32be,
                              framing::sofh,
                              framing::sofh_big,
                              framing::fbe,
                              framing::capnp,
                              framing::capnp_packed,
                              framing::length<std::uint8_t>(2, aldis::big, 4),
                              framing::length<std::uint64_t>(1, aldis::little, 16)};

/// Feeds a stream in pieces to a receiver whose handler stops behind each message where `stops`.
heard listen(framing how, std::uint64_t limit, bytes_view stream, std::size_t piece, bool stops) {
    aldis::frame_receiver frames(how, limit);
    heard all;
    while (!stream.empty() && !all.fault) {
        bytes_view some = stream.first(std::min(piece, stream.size()));
        stream = stream.subspan(some.size());
        while (!some.empty() && !all.fault) {
            const auto taken = frames.feed(some, [&](bytes_view message) {
                all.messages.emplace_back(message.begin(), message.end());
                return !stops;
            });
            if (taken) {
                fuzz::must(*taken == some.size() || (stops && *taken < some.size()), "not all that was fed was taken");
                some = some.subspan(*taken);
            } else {
                all.fault = taken.error();
            }
        }
    }
    // The bytes that a broken stream keeps depend on how it was cut.
    if (!all.fault) {
        all.rest.assign(frames.rest().begin(), frames.rest().end());
    }
    all.offset = frames.offset();
    return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    if (size < 3) {
        return 0;
    }
    const framing how = framings[data[0] % framings.size()];
    const std::uint64_t limit = std::uint64_t{1} << (data[1] % 27);
    const bytes_view stream = std::as_bytes(std::span(data, size)).subspan(3);
    const heard whole = listen(how, limit, stream, size, false);
    fuzz::must(listen(how, limit, stream, data[2] + 1U, false) == whole, "pieces give something else");
    fuzz::must(listen(how, limit, stream, data[2] + 1U, true) == whole, "stops give something else");

    aldis::frame_sender out(how);
    for (const auto& message : whole.messages) {
        fuzz::must(out.send(message).ok(), "what was received cannot be sent");
    }
    const heard again = listen(how, limit, out.bytes(), out.bytes().size(), false);
    fuzz::must(again.messages == whole.messages && !again.fault && again.rest.empty(), "what was sent is received otherwise");
    return 0;
}
