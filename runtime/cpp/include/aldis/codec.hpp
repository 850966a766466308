// Encoders and decoders of whole messages. A message is described by a type with `size`, `write`, `read` and the reader
// that it is read with; generated code has one for each message and form.
#pragma once

#include <limits>
#include <span>

#include "reader.hpp"
#include "writer.hpp"

namespace aldis {

namespace detail {

template <class Message, class T>
[[nodiscard]] inline bool measure(sizer& size, const T& value) {
    // No message has 0 bytes.
    return Message::size(size, value) &&
           (size.size() - 1 < std::numeric_limits<std::uint32_t>::max() || size.fail(code::out_of_range));
}

/// Whether a message that was written is one that is read: elements without bytes are charged then, and there may be too
/// many.
template <class Message, class T>
[[nodiscard]] inline bool is_read(std::span<const std::byte> written, const limits& most);

}  // namespace detail

/// Writes a message into `out` and gives its size.
template <class Message, class T>
inline result<std::size_t> encode_as(const T& value, std::span<std::byte> out, const limits& most) {
    sizer size(most);
    if (!detail::measure<Message>(size, value)) [[unlikely]] {
        return size.fault();
    }
    if (size.size() > out.size()) [[unlikely]] {
        return error{code::no_room, error::nowhere, {}};
    }
    Message::write(out.data(), value, size.size());
    if (!detail::is_read<Message, T>(out.first(static_cast<std::size_t>(size.size())), most)) [[unlikely]] {
        return error{code::too_large, error::nowhere, {}};
    }
    return static_cast<std::size_t>(size.size());
}

/// Writes a message into memory that grows as needed and gives its bytes, which are there until it is used again.
template <class Message, class T>
inline result<std::span<const std::byte>> encode_as(const T& value, buffer& out, const limits& most) {
    sizer size(most);
    if (!detail::measure<Message>(size, value)) [[unlikely]] {
        return size.fault();
    }
    std::byte* const at = out.prepare(static_cast<std::size_t>(size.size())).data();
    if (at == nullptr) {
        // A buffer of bytes has memory: compilers that do not see it warn of what would be written to none.
        __builtin_unreachable();
    }
    Message::write(at, value, size.size());
    if (!detail::is_read<Message, T>(out.bytes(), most)) [[unlikely]] {
        return error{code::too_large, error::nowhere, {}};
    }
    return out.bytes();
}

/// Reads a message into `value` and gives its size; bytes behind it are not looked at. Only where the bytes are refused
/// they are read once more, to say why.
template <class Message, class T>
inline result<std::size_t> decode_as(std::span<const std::byte> in, T& value, const limits& most) {
    typename Message::reader_type::template for_purpose<purpose::read> reader(in, most);
    const std::byte* const end = Message::read(reader, value);
    if (end == nullptr) [[unlikely]] {
        return explain<typename Message::reader_type>(in, most, [&value](auto& again) { return Message::read(again, value); });
    }
    return static_cast<std::size_t>(end - reader.begin());
}

namespace detail {

template <class Message, class T>
inline bool is_read(std::span<const std::byte> written, const limits& most) {
    if constexpr (Message::writes_unpaid) {
        T again{};
        const auto read = decode_as<Message>(written, again, most);
        return read || read.error().what != code::too_large;
    } else {
        return true;
    }
}

}  // namespace detail

/// Reads a message into a value of its own.
template <class Message, class T>
inline result<T> fresh_as(std::span<const std::byte> in, const limits& most) {
    result<T> made{T{}};
    if (const auto read = decode_as<Message>(in, *made, most); !read) [[unlikely]] {
        return read.error();
    }
    return made;
}

}  // namespace aldis
