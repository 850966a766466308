// Encoders and decoders of whole messages of segments. A message is described by a type with `data` and `pointers` (the
// words of its root), `size`, `write` and `read`; generated code has one for each.
#pragma once

#include "../writer.hpp"
#include "packing.hpp"
#include "writer.hpp"

namespace aldis::segments {

namespace detail {

/// A message being encoded: its words, as writers of every form but the packed one need them.
template <class Message, class T>
class measured {
public:
    measured(const T& value, const limits& most) : value_(value), sizer_(most, copies_) {
        ok_ = sizer_.enter() && Message::size(sizer_, value);
        sizer_.add(1 + Message::data + Message::pointers);
        if (ok_ && sizer_.words() > max_count) {
            ok_ = sizer_.fail(code::out_of_range);
        }
    }

    [[nodiscard]] bool ok() const noexcept { return ok_; }
    [[nodiscard]] const error& fault() const noexcept { return sizer_.fault(); }
    /// The charge of readers for elements without bytes: 8 for each of them.
    [[nodiscard]] std::uint64_t unpaid() const noexcept { return sizer_.unpaid(); }
    /// Bytes of the segment.
    [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(sizer_.words() * word_size); }

    /// Writes the segment.
    void write(std::byte* at) const {
        constexpr std::int64_t far = Message::data + Message::pointers == 0 ? -1 : 0;
        writer out(at + word_size, copies_);
        store_word(at, record_word(far, Message::data, Message::pointers));
        std::byte* const root = out.reserve(Message::data + Message::pointers);
        Message::write(out, root, value_);
    }

private:
    const T& value_;
    copies copies_;
    sizer sizer_;
    bool ok_ = false;
};

/// The table of one segment.
inline void write_table(std::byte* at, std::size_t size) noexcept {
    store_word(at, std::uint64_t{size / word_size} << 32);
}

/// The bytes of a message in the canonical form.
template <class Measured>
result<std::vector<std::byte>> canonical_bytes(const Measured& from, std::span<std::byte> segment) {
    from.write(segment.data());
    std::vector<std::byte> out(word_size);
    arena words({limits{}.depth, 0, std::numeric_limits<std::uint64_t>::max()}, 0);
    if (!words.open(segment, false) || !copier(words, true, appended{out}).pointer(words.root(), 0)) {
        return error{words.fault().what, error::nowhere, {}};
    }
    return out;
}

/// The memory in which a segment of that size is written, and packed in front of it.
[[nodiscard]] constexpr std::size_t packing_room(std::size_t size) noexcept {
    const std::size_t packed = pack_room(word_size) + pack_room(size);
    return (packed + word_size - 1) / word_size * word_size + size;
}

/// Packs a message in such memory; gives how many bytes at its front it takes.
template <class Measured>
[[nodiscard]] std::size_t packed_in(const Measured& from, std::span<std::byte> memory) {
    const std::span<std::byte> segment = memory.last(from.size());
    from.write(segment.data());
    std::byte table[word_size];
    write_table(table, segment.size());
    return static_cast<std::size_t>(pack(segment, pack(table, memory.data())) - memory.data());
}

}  // namespace detail

namespace detail {

/// The fault that reading finds in a message that was written, if it is too large: elements without bytes are charged then,
/// as are fields without them. `unpaid` is no less than what they are charged in all.
template <class Message, form Form, class T>
[[nodiscard]] inline std::optional<error> refusal(
    std::span<const std::byte> written, std::uint64_t unpaid, const limits& most);

}  // namespace detail

/// Writes a message into memory that `room` gives for its size, an empty span where there is too little; gives the bytes.
template <class Message, form Form, class T, class Room>
inline result<std::span<const std::byte>> encode_into(const T& value, const limits& most, Room room) {
    const detail::measured<Message, T> from(value, most);
    if (!from.ok()) [[unlikely]] {
        return from.fault();
    }
    constexpr std::size_t table = Form.table ? word_size : 0;
    if constexpr (Form.canonical) {
        std::vector<std::byte> segment(from.size());
        const auto made = detail::canonical_bytes(from, segment);
        if (!made) [[unlikely]] {
            return made.error();
        }
        const std::span<std::byte> out = room(made->size());
        if (out.empty()) [[unlikely]] {
            return aldis::detail::no_room(made->size());
        }
        // Each bit that is left out may be a field.
        const std::size_t gone = segment.size() - made->size();
        if (auto fault = detail::refusal<Message, Form, T>(*made, from.unpaid() + 8 * gone, most)) [[unlikely]] {
            return *std::move(fault);
        }
        std::memcpy(out.data(), made->data(), made->size());
        return std::span<const std::byte>(out);
    } else {
        const std::span<std::byte> out = room(table + from.size());
        if (out.empty()) [[unlikely]] {
            return aldis::detail::no_room(table + from.size());
        }
        detail::write_table(out.data(), from.size());
        from.write(out.data() + table);
        if (auto fault = detail::refusal<Message, Form, T>(out, from.unpaid(), most)) [[unlikely]] {
            return *std::move(fault);
        }
        return std::span<const std::byte>(out);
    }
}

/// Writes a packed message into memory that grows as needed, where it is made; gives its bytes.
template <class Message, form Form, class T>
inline result<std::span<const std::byte>> pack_into(const T& value, buffer& out, const limits& most) {
    const detail::measured<Message, T> from(value, most);
    if (!from.ok()) [[unlikely]] {
        return from.fault();
    }
    const std::size_t size = detail::packed_in(from, out.prepare(detail::packing_room(from.size())));
    static_cast<void>(out.prepare(size));
    if (auto fault = detail::refusal<Message, Form, T>(out.bytes(), from.unpaid(), most)) [[unlikely]] {
        return *std::move(fault);
    }
    return out.bytes();
}

/// Writes a message into `out` and gives its size.
template <class Message, form Form, class T>
inline result<std::size_t> encode_as(const T& value, std::span<std::byte> out, const limits& most) {
    if constexpr (Form.packed) {
        buffer memory;
        const auto made = pack_into<Message, Form>(value, memory, most);
        if (!made) [[unlikely]] {
            return made.error();
        }
        if (made->size() > out.size()) [[unlikely]] {
            return aldis::detail::no_room(made->size());
        }
        std::memcpy(out.data(), made->data(), made->size());
        return made->size();
    } else {
        const auto made = encode_into<Message, Form>(value, most, [out](std::size_t size) {
            return size <= out.size() ? out.first(size) : std::span<std::byte>();
        });
        if (!made) [[unlikely]] {
            return made.error();
        }
        return made->size();
    }
}

/// Writes a message into memory that grows as needed and gives its bytes, which are there until it is used again.
template <class Message, form Form, class T>
inline result<std::span<const std::byte>> encode_as(const T& value, buffer& out, const limits& most) {
    if constexpr (Form.packed) {
        return pack_into<Message, Form>(value, out, most);
    } else {
        return encode_into<Message, Form>(value, most, [&out](std::size_t size) { return out.prepare(size); });
    }
}

namespace detail {

/// The root's sections, one level down: `nothing` where its pointer is null.
template <class From>
[[nodiscard]] inline bool open_root(From& from, std::span<const std::byte> bytes, bool table, body& root) {
    if (!from.open(bytes, table)) [[unlikely]] {
        return false;
    }
    const place at = from.root();
    return load_word(at.at).is_null() ? from.enter(at.at) : from.open_record(at, root);
}

}  // namespace detail

/// Reads a packed message, which is unpacked to `few` where it has room there, else to `room`.
template <class Message, class T>
inline result<std::size_t> unpack_as(
    std::span<const std::byte> in, T& value, buffer& room, std::span<std::byte> few, const limits& most) {
    unpacker words(in, most.unpacked(in.size()), room, few);
    if (!words.message()) [[unlikely]] {
        return words.fault();
    }
    reader from(most, words.bytes().size());
    body root = nothing;
    if (!detail::open_root(from, words.bytes(), true, root) || !Message::read(from, root, value)) [[unlikely]] {
        error fault = from.fault();
        // Its byte is one of the unpacked ones.
        fault.offset = error::nowhere;
        return fault;
    }
    return words.taken();
}

/// Reads a message into `value` and gives its size; bytes behind it are not looked at.
template <class Message, form Form, class T>
inline result<std::size_t> decode_as(std::span<const std::byte> in, T& value, const limits& most) {
    if constexpr (Form.packed) {
        buffer room;
        std::array<std::byte, 2048> few;
        return unpack_as<Message>(in, value, room, few, most);
    } else {
        reader from(most, in.size());
        body root = nothing;
        if (!detail::open_root(from, in, Form.table, root) || !Message::read(from, root, value)) [[unlikely]] {
            return from.fault();
        }
        return from.size();
    }
}

namespace detail {

template <class Message, form Form, class T>
inline std::optional<error> refusal(std::span<const std::byte> written, std::uint64_t unpaid, const limits& most) {
    if ((Message::writes_unpaid || Form.canonical) && unpaid > most.budget_base) [[unlikely]] {
        T again{};
        const auto read = decode_as<Message, Form>(written, again, most);
        if (!read && read.error().what == code::too_large) {
            return error{code::too_large, error::nowhere, {}};
        }
    }
    return std::nullopt;
}

}  // namespace detail

/// Reads a message into a value of its own.
template <class Message, form Form, class T>
inline result<T> fresh_as(std::span<const std::byte> in, const limits& most) {
    result<T> made{T{}};
    if (const auto read = decode_as<Message, Form>(in, *made, most); !read) [[unlikely]] {
        return read.error();
    }
    return made;
}

}  // namespace aldis::segments
