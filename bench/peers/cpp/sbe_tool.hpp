// The calls of sbe-tool's generated C++ around each message, with its bounds checks on: it throws for bad bytes.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string_view>

namespace peer {

inline char* chars(std::span<const std::byte> bytes) {
    return const_cast<char*>(reinterpret_cast<const char*>(bytes.data()));
}

// Begins to write a message behind its header.
template <class Message>
Message sbe_begin(std::span<std::byte> out) {
    Message message;
    message.wrapAndApplyHeader(chars(out), 0, out.size());
    return message;
}

// Begins to read a message whose header must be that of `Message`.
template <class Message>
Message sbe_open(std::span<const std::byte> in) {
    using Header = typename Message::messageHeader;
    if (in.size() < Header::encodedLength()) {
        throw std::runtime_error("no header");
    }
    const Header header(chars(in), 0, in.size(), Message::sbeSchemaVersion());
    if (header.templateId() != Message::sbeTemplateId() || header.schemaId() != Message::sbeSchemaId()) {
        throw std::runtime_error("another message");
    }
    Message message;
    message.wrapForDecode(chars(in), Header::encodedLength(), header.blockLength(), header.version(), in.size());
    return message;
}

template <class Message>
std::size_t sbe_size(const Message& message) {
    return static_cast<std::size_t>(Message::messageHeader::encodedLength() + message.encodedLength());
}

}  // namespace peer
