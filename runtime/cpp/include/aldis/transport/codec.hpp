// Frames to bytes and back.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../utf8.hpp"
#include "bytes.hpp"
#include "crc32.hpp"
#include "frame.hpp"
#include "result.hpp"

namespace aldis::transport {

// Bytes of the length that each frame begins with, and of its kind.
inline constexpr std::size_t length_size = 4;
inline constexpr std::size_t kind_size = 1;
// Bytes of a text in a frame, at most.
inline constexpr std::size_t max_text = 1024;

// The checksum of a batch: over first, count and all that follows the checksum in the frame.
inline std::uint32_t batch_crc(const batch_frame& batch) {
    std::array<std::byte, 20> head{};
    store(&head[0], batch.first);
    store(&head[8], batch.count);
    store(&head[12], batch.schema ? batch.schema->schema : 0);
    store(&head[16], batch.schema ? batch.schema->type : 0);
    return crc32(batch.entries, crc32(std::span(head).first(batch.schema ? 20 : 12)));
}

namespace detail {

inline constexpr std::string_view magic_text = "ALDIS";

// The longest beginning of `text` that fits a frame, ending between characters.
inline std::string_view fitting(std::string_view text) {
    std::size_t size = std::min(text.size(), max_text);
    while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) {
        --size;
    }
    return text.substr(0, size);
}

// Fills the fields of a frame from a body. Once something is missing it reads zeros, and is not `exact`.
class body_reader {
public:
    body_reader(bytes_view body, bool schema) : left_(body), schema_(schema) {}

    template <std::unsigned_integral T>
    void number(T& value) {
        const bytes_view from = take(sizeof(T));
        value = from.empty() ? T{0} : load<T>(from.data());
    }
    void magic() { ok_ = text_of(take(magic_text.size())) == magic_text; }
    void producer(producer_id& producer) {
        const bytes_view from = take(producer.size());
        std::copy(from.begin(), from.end(), producer.begin());
    }
    void short_text(std::string_view& text) { text = text_of(take(read<std::uint8_t>())); }
    void sized_bytes(bytes_view& bytes) { bytes = take(read<std::uint16_t>()); }
    void durability(durability_level& durability) { durability = static_cast<durability_level>(read<std::uint8_t>()); }
    void window(credit_window& window) {
        number(window.messages);
        number(window.bytes);
    }
    void schema(std::optional<schema_id>& id) {
        if (schema_) {
            id.emplace();
            number(id->schema);
            number(id->type);
        }
    }
    void code(error_code& code) { code = static_cast<error_code>(read<std::uint16_t>()); }
    void wide_code(error_code& code) { code = static_cast<error_code>(read<std::uint32_t>()); }
    void text(std::string_view& text) {
        text = text_of(take(read<std::uint16_t>()));
        ok_ = ok_ && text.size() <= max_text && is_utf8(text);
    }
    void rest(bytes_view& bytes) { bytes = take(left_.size()); }

    // All was there and right, and nothing is left over.
    bool exact() const { return ok_ && left_.empty(); }

private:
    template <std::unsigned_integral T>
    T read() {
        T value = 0;
        number(value);
        return value;
    }

    bytes_view take(std::size_t size) {
        if (size > left_.size()) {
            ok_ = false;
            left_ = {};
            return {};
        }
        const bytes_view taken = left_.first(size);
        left_ = left_.subspan(size);
        return taken;
    }

    bytes_view left_;
    bool schema_;
    bool ok_ = true;
};

// Appends the fields of a frame. With `rest_follows` the bytes at its end are left to whoever sends them.
class body_writer {
public:
    explicit body_writer(byte_vector& out, bool rest_follows = false) : out_(out), rest_follows_(rest_follows) {}

    template <std::unsigned_integral T>
    void number(T value) {
        const std::size_t at = out_.size();
        out_.resize(at + sizeof(T));
        store(out_.data() + at, value);
    }
    void magic() { bytes(bytes_of(magic_text)); }
    void producer(const producer_id& producer) { bytes(producer); }
    void short_text(std::string_view text) {
        number(static_cast<std::uint8_t>(text.size()));
        bytes(bytes_of(text));
    }
    void sized_bytes(bytes_view from) {
        number(static_cast<std::uint16_t>(from.size()));
        bytes(from);
    }
    void durability(durability_level durability) { number(static_cast<std::uint8_t>(durability)); }
    void window(const credit_window& window) {
        number(window.messages);
        number(window.bytes);
    }
    void schema(const std::optional<schema_id>& id) {
        if (id) {
            number(id->schema);
            number(id->type);
        }
    }
    void code(error_code code) { number(static_cast<std::uint16_t>(code)); }
    void wide_code(error_code code) { number(static_cast<std::uint32_t>(code)); }
    void text(std::string_view text) { sized_bytes(bytes_of(fitting(text))); }
    void rest(bytes_view from) {
        if (!rest_follows_) {
            bytes(from);
        }
    }

private:
    void bytes(bytes_view from) { out_.insert(out_.end(), from.begin(), from.end()); }

    byte_vector& out_;
    bool rest_follows_;
};

template <class T>
result<any_frame> decode_as(bytes_view body, bool schema) {
    body_reader in(body, schema);
    T frame;
    T::fields(frame, in);
    if (in.exact()) {
        return any_frame(frame);
    }
    return error{error_code::protocol, "a frame of kind " + std::to_string(T::kind) + " cannot have this body of " +
                                           std::to_string(body.size()) + " bytes"};
}

// Tries the alternatives of any_frame one after another; unknown_frame has no kind of its own.
template <class T, class... Others>
result<any_frame> decode_kind(std::uint8_t kind, bytes_view body, bool schema, const std::variant<T, Others...>*) {
    if constexpr (std::is_same_v<T, unknown_frame>) {
        if (kind >= 0x80) {
            return any_frame(unknown_frame{kind, body});
        }
        return error{error_code::protocol, "there is no frame of kind " + std::to_string(kind)};
    } else {
        if (kind == T::kind) {
            return decode_as<T>(body, schema);
        }
        return decode_kind(kind, body, schema, static_cast<const std::variant<Others...>*>(nullptr));
    }
}

template <class T>
void encode_with(byte_vector& out, const T& frame, bool rest_follows, std::size_t following) {
    const std::size_t begin = out.size();
    body_writer to(out, rest_follows);
    to.number(std::uint32_t{0});
    to.number(T::kind);
    T::fields(frame, to);
    store(out.data() + begin, static_cast<std::uint32_t>(out.size() - begin - length_size + following));
}

}  // namespace detail

// Reads a frame from its kind and its body. `schema`: the feature SCHEMA is granted. Whether a batch's entries and
// checksum are right is not looked at here.
inline result<any_frame> decode(std::uint8_t kind, bytes_view body, bool schema = false) {
    return detail::decode_kind(kind, body, schema, static_cast<const any_frame*>(nullptr));
}

// Appends the whole frame, its length first. Texts that are too long are cut; an auth method takes 255 bytes, auth data
// 65,535.
template <class T>
void encode(byte_vector& out, const T& frame) {
    detail::encode_with(out, frame, false, 0);
}

// Appends a batch's frame up to its entries, which are to be sent behind it.
inline void encode_head(byte_vector& out, const batch_frame& batch) {
    detail::encode_with(out, batch, true, batch.entries.size());
}

}  // namespace aldis::transport
