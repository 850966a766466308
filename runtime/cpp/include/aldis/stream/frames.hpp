// Whole messages out of a stream of bytes, and messages into one.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "error.hpp"
#include "framing.hpp"
#include "packed.hpp"

namespace aldis {

/// Bytes of the longest frame that receivers believe in unless told otherwise: 64 MiB.
inline constexpr std::uint64_t frame_limit = 64ULL << 20;

/// Gives whole messages out of bytes as they come from a socket, pipe or file, and keeps what is no whole frame yet. A receiver
/// that was moved from is as it was when it was made.
class frame_receiver {
public:
    /// Frames of more than `limit` bytes end the stream before they are collected.
    explicit frame_receiver(framing how, std::uint64_t limit = frame_limit) : how_(how), limit_(limit) {}
    frame_receiver(const frame_receiver&) = default;
    frame_receiver(frame_receiver&& other) : how_(other.how_), limit_(other.limit_) { swap(other); }
    frame_receiver& operator=(frame_receiver other) noexcept {
        swap(other);
        return *this;
    }
    ~frame_receiver() = default;

    /// Exchanges all that two receivers are and hold.
    void swap(frame_receiver& other) noexcept {
        std::swap(how_, other.how_);
        std::swap(limit_, other.limit_);
        kept_.swap(other.kept_);
        std::swap(needed_, other.needed_);
        std::swap(offset_, other.offset_);
        std::swap(walk_, other.walk_);
        ended_.swap(other.ended_);
    }

    /// Calls `handler` with each message that is complete with these bytes, in their order, and gives how many of the bytes
    /// were taken: all, unless `handler` gave false to stop behind its message; what was not taken is to be fed again.
    ///
    /// A message is a span of `in` where its frame came whole, of the receiver's memory where not; it is there until
    /// `handler` returns. A broken frame ends the stream, as there is no way to find the next one: this call and all
    /// further ones give its fault. `handler` must not feed the receiver.
    template <std::invocable<bytes_view> Handler>
    stream_result<std::size_t> feed(bytes_view in, Handler&& handler) {
        const std::size_t fed = in.size();
        while (!ended_) {
            if (!kept_.empty() && !complete(in)) {
                break;
            }
            const bytes_view begun = kept_.empty() ? in : bytes_view(kept_);
            const frame_head head = look(begun);
            if (head.is == frame_head::state::broken) {
                end({head.fault, offset_, head.size, head.bound, {head.packing, error::nowhere, {}}});
                break;
            }
            needed_ = head.size;
            if (head.is == frame_head::state::known && head.size <= begun.size()) {
                const auto size = static_cast<std::size_t>(head.size);
                const bool go_on = give(begun.first(size), handler);
                next(in, size);
                if (!go_on) {
                    break;
                }
            } else if (kept_.empty()) {
                keep(in, in.size());
                break;
            }
        }
        return ended_ ? stream_result<std::size_t>(*ended_) : fed - in.size();
    }

    /// The bytes that were fed and are no whole message yet.
    [[nodiscard]] bytes_view rest() const& noexcept ALDIS_LIFETIMEBOUND { return kept_; }
    bytes_view rest() const&& = delete;

    /// The first byte in the stream of the frame that is next, or that `handler` is called with.
    [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }

    /// Ends the stream: all further calls give this fault.
    void end(stream_error fault) { ended_ = std::move(fault); }

private:
    /// Adds to a frame that has begun until there are as many bytes as are needed.
    bool complete(bytes_view& in) {
        const auto missing = static_cast<std::size_t>(std::min<std::uint64_t>(needed_ - kept_.size(), in.size()));
        keep(in, missing);
        return kept_.size() == needed_;
    }

    /// Memory grows with what has come, not with what a length claims.
    void keep(bytes_view& in, std::size_t size) {
        const bytes_view some = in.first(size);
        kept_.insert(kept_.end(), some.begin(), some.end());
        in = in.subspan(size);
    }

    frame_head look(bytes_view begun) {
        if (how_.packed()) {
            return walk_.look(begun, limit_);
        }
        const frame_head head = how_.look(begun);
        // A head is awaited even where the limit is less: only then it is known how large the frame would be.
        if (head.is == frame_head::state::known && head.size > limit_) {
            return frame_head::broken(stream_code::frame_too_large, head.size, limit_);
        }
        return head;
    }

    template <class Handler>
    bool give(bytes_view frame, Handler& handler) {
        const bytes_view message = frame.subspan(how_.skip());
        if constexpr (std::is_void_v<std::invoke_result_t<Handler&, bytes_view>>) {
            handler(message);
            return true;
        } else {
            return static_cast<bool>(handler(message));
        }
    }

    /// Leaves a frame behind that was given out.
    void next(bytes_view& in, std::size_t size) {
        if (kept_.empty()) {
            in = in.subspan(size);
        }
        kept_.clear();
        offset_ += size;
        walk_.restart();
    }

    framing how_;
    std::uint64_t limit_;
    /// The beginning of a frame that is not whole yet.
    std::vector<std::byte> kept_;
    /// Bytes that it must have before it is looked at again.
    std::uint64_t needed_ = 0;
    std::uint64_t offset_ = 0;
    packed_walk walk_;
    std::optional<stream_error> ended_;
};

/// Puts messages into one piece of memory, each in its frame, until a sink takes them: one write for many messages. A sender
/// that was moved from is as it was when it was made.
class frame_sender {
public:
    explicit frame_sender(framing how) : how_(how) {}
    frame_sender(frame_sender&& other) noexcept : how_(other.how_) { swap(other); }
    frame_sender& operator=(frame_sender&& other) noexcept {
        frame_sender taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~frame_sender() = default;

    /// Exchanges all that two senders are and hold.
    void swap(frame_sender& other) noexcept {
        std::swap(how_, other.how_);
        memory_.swap(other.memory_);
        std::swap(capacity_, other.capacity_);
        std::swap(begin_, other.begin_);
        std::swap(end_, other.end_);
        std::swap(offset_, other.offset_);
    }

    /// Adds a message that is encoded already.
    stream_result<void> send(bytes_view message) {
        return send_with([&](std::span<std::byte> room) -> result<std::size_t> {
            if (room.size() < message.size()) {
                return error{code::no_room, error::nowhere, {}};
            }
            std::copy(message.begin(), message.end(), room.begin());
            return message.size();
        });
    }

    /// Adds the message that `encode` writes into a span of the sender's memory and gives the size of. It is called again
    /// with a longer span when it gives `no_room`. A message that cannot be sent adds nothing.
    template <class Encode>
    stream_result<void> send_with(Encode&& encode) {
        for (;;) {
            const std::size_t begin = end_ + how_.skip();
            const std::size_t left = capacity_ > begin ? capacity_ - begin : 0;
            const std::span<std::byte> room = left > 0 ? std::span(memory_.get() + begin, left) : std::span<std::byte>();
            const result<std::size_t> written = encode(room);
            if (!written && written.error().what != code::no_room) {
                return stream_error{stream_code::bad_message, offset(), 0, 0, written.error()};
            }
            if (written && begin + *written <= capacity_) {
                return framed(begin, *written);
            }
            make_room();
        }
    }

    /// The bytes that were sent and not taken.
    [[nodiscard]] bytes_view bytes() const& noexcept ALDIS_LIFETIMEBOUND {
        return {memory_.get() + begin_, end_ - begin_};
    }
    bytes_view bytes() const&& = delete;

    /// The place in the stream at which the next frame begins.
    [[nodiscard]] std::uint64_t offset() const noexcept { return offset_ + bytes().size(); }

    /// Forgets what was sent, as when all of `bytes` were written.
    void clear() noexcept {
        offset_ += end_ - begin_;
        begin_ = end_ = 0;
    }

    /// Calls `sink` with what was sent and not taken. It gives how many bytes it took, or nothing when it took all; the
    /// rest comes first the next time.
    template <std::invocable<bytes_view> Sink>
    void flush(Sink&& sink) {
        if (begin_ == end_) {
            return;
        }
        if constexpr (std::is_void_v<std::invoke_result_t<Sink&, bytes_view>>) {
            sink(bytes());
            clear();
        } else {
            const std::size_t taken = std::min(static_cast<std::size_t>(sink(bytes())), end_ - begin_);
            begin_ += taken;
            offset_ += taken;
            if (begin_ == end_) {
                begin_ = end_ = 0;
            }
        }
    }

private:
    stream_result<void> framed(std::size_t begin, std::size_t size) {
        if (size > how_.longest()) {
            return stream_error{stream_code::frame_too_large, offset(), size, how_.longest(), {}};
        }
        how_.write(memory_.get() + end_, size);
        end_ = begin + size;
        return {};
    }

    /// Memory is doubled where more than half of it is waiting; else what waits moves to its front.
    void make_room() {
        const std::size_t waiting = end_ - begin_;
        if (begin_ > 0 && waiting <= capacity_ / 2) {
            std::memmove(memory_.get(), memory_.get() + begin_, waiting);
        } else {
            const std::size_t capacity = std::max(2 * capacity_, first_capacity);
            auto memory = std::make_unique_for_overwrite<std::byte[]>(capacity);
            if (waiting > 0) {
                std::memcpy(memory.get(), memory_.get() + begin_, waiting);
            }
            memory_ = std::move(memory);
            capacity_ = capacity;
        }
        begin_ = 0;
        end_ = waiting;
    }

    static constexpr std::size_t first_capacity = 1024;

    framing how_;
    std::unique_ptr<std::byte[]> memory_;
    std::size_t capacity_ = 0;
    /// `memory_[begin_, end_)` was sent and not taken.
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    /// Bytes that were taken.
    std::uint64_t offset_ = 0;
};

}  // namespace aldis
