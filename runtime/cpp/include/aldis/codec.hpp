// Encoders and decoders of whole messages. A message is described by a type with `size`, `write`, `read` and the reader
// that it is read with; generated code has one for each message and form.
#pragma once

#include <limits>
#include <optional>
#include <span>

#include "careful.hpp"
#include "reader.hpp"
#include "writer.hpp"

namespace aldis {

namespace detail {

template <class Message, class T>
[[nodiscard]] inline bool measure(sizer& size, const T& value) {
    // No message has 0 bytes.
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    return Message::size(size, value) &&
           (size.size() - 1 < most || size.outside(size.size(), 1, most, "bytes"));
}

/// The fault that reading finds in a message that was written, if it is one of limits: elements without bytes are charged then,
/// 8 each and `unpaid` in all, and there may be too many; and sizes do not count the depth of records that never nest
/// deeper than usual.
template <class Message, class T>
[[nodiscard]] inline std::optional<error> refusal(
    std::span<const std::byte> written, std::uint64_t unpaid, const limits& most);

}  // namespace detail

/// Writes a message into `out` and gives its size.
template <class Message, class T>
inline result<std::size_t> encode_as(const T& value, std::span<std::byte> out, const limits& most) {
    sizer size(most);
    if (!detail::measure<Message>(size, value)) [[unlikely]] {
        return result<std::size_t>(size.take_fault());
    }
    if (size.size() > out.size()) [[unlikely]] {
        return detail::no_room(size.size());
    }
    Message::write(out.data(), value, size.size());
    const auto total = static_cast<std::size_t>(size.size());
    if (auto fault = detail::refusal<Message, T>(out.first(total), size.unpaid(), most)) [[unlikely]] {
        return *std::move(fault);
    }
    return total;
}

/// Writes a message into memory that grows as needed and gives its bytes, which are there until it is used again.
template <class Message, class T>
inline result<std::span<const std::byte>> encode_as(const T& value, buffer& out, const limits& most) {
    sizer size(most);
    if (!detail::measure<Message>(size, value)) [[unlikely]] {
        return result<std::span<const std::byte>>(size.take_fault());
    }
    std::byte* const at = out.prepare(static_cast<std::size_t>(size.size())).data();
    if (at == nullptr) {
        // A buffer of bytes has memory: compilers that do not see it warn of what would be written to none.
        __builtin_unreachable();
    }
    Message::write(at, value, size.size());
    if (auto fault = detail::refusal<Message, T>(out.bytes(), size.unpaid(), most)) [[unlikely]] {
        return *std::move(fault);
    }
    return out.bytes();
}

/// Reads a message into `value` and gives its size; bytes behind it are not looked at. Only where the bytes are refused
/// they are read once more, to say why.
template <class Message, class T>
inline result<std::size_t> decode_as(std::span<const std::byte> in, T& value, const limits& most) {
    using reader_type = typename Message::reader_type;
    if (reader_type::watches.suffices(most, in.size())) [[likely]] {
        typename reader_type::template for_purpose<purpose::read> reader(in, most);
        const std::byte* const end = Message::read(reader, value);
        if (end != nullptr) [[likely]] {
            return static_cast<std::size_t>(end - reader.begin());
        }
    }
    return read_carefully<reader_type>(in, most, [&value](auto& again) { return Message::read(again, value); });
}

namespace detail {

/// The fault of that kind that reading finds in a message.
template <class Message, class T>
[[nodiscard, gnu::cold, gnu::noinline]] inline std::optional<error> reread(
    std::span<const std::byte> written, limits most, code what) {
    T again{};
    const auto read = decode_as<Message>(written, again, most);
    if (read || read.error().what != what) {
        return std::nullopt;
    }
    return error{what, error::nowhere, what == code::too_deep ? read.error().path : std::string()};
}

template <class Message, class T>
inline std::optional<error> refusal(std::span<const std::byte> written, std::uint64_t unpaid, const limits& most) {
    const bool unknown = (unpaid & sizer::depth_unknown) != 0;
    if (unknown || (!Message::reader_type::watches.depth && most.depth < limits{}.depth)) [[unlikely]] {
        limits depth{.depth = most.depth, .budget_base = std::numeric_limits<std::uint64_t>::max()};
        if (auto fault = reread<Message, T>(written, depth, code::too_deep)) {
            return fault;
        }
    }
    if (Message::writes_unpaid && (unpaid & ~sizer::depth_unknown) > most.budget_base) [[unlikely]] {
        return reread<Message, T>(written, most, code::too_large);
    }
    return std::nullopt;
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
