// Bytes from a stream to whole frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>

#include "bytes.hpp"
#include "codec.hpp"
#include "result.hpp"

namespace aldis::transport {

class inbox {
public:
    inbox() = default;
    inbox(const inbox&) = delete;
    inbox& operator=(const inbox&) = delete;

    // The room for the next bytes.
    std::span<std::byte> room() { return std::span(bytes_).subspan(end_); }

    // So many bytes came.
    void came(std::size_t size) { end_ += size; }

    void clear() { begin_ = end_ = 0; }

    struct raw_frame {
        std::uint8_t kind = 0;
        bytes_view body;
    };

    // The next whole frame, a view that holds until `room` is filled; none when more must come first.
    result<std::optional<raw_frame>> next() {
        std::size_t wanted = length_size + kind_size;
        if (end_ - begin_ >= wanted) {
            const std::size_t length = load<std::uint32_t>(&bytes_[begin_]);
            if (length < kind_size) {
                return error{error_code::protocol, "a frame without a kind came"};
            }
            if (length > max_length) {
                return error{error_code::frame_too_large, "a frame of " + std::to_string(length) + " bytes came"};
            }
            wanted = length_size + length;
            if (end_ - begin_ >= wanted) {
                const bytes_view frame = bytes_view(bytes_).subspan(begin_ + length_size, length);
                begin_ += wanted;
                return std::optional(raw_frame{std::to_integer<std::uint8_t>(frame[0]), frame.subspan(kind_size)});
            }
        }
        make_room(wanted);
        return std::optional<raw_frame>();
    }

private:
    // Memory grows with what has come, not with what a length claims.
    void make_room(std::size_t wanted) {
        std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
        if (end_ == bytes_.size() && wanted > end_) {
            bytes_.resize(2 * end_);
        }
    }

    static constexpr std::size_t initial_size = 64U << 10;
    // The longest frame that is believed.
    static constexpr std::size_t max_length = 64U << 20;

    byte_vector bytes_ = byte_vector(initial_size);
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace aldis::transport
