// ==== feature.hpp
#ifndef ALDIS_feature_118651440b811a4c
#define ALDIS_feature_118651440b811a4c

// [as in the base]
#include "feature/message.hpp"
#include "feature/message_header.hpp"

// ==== feature_json.hpp
#ifndef ALDIS_feature_json_118651440b811a4c
#define ALDIS_feature_json_118651440b811a4c

// [as in the base]
#include "feature/message_json.hpp"
#include "feature/message_header_json.hpp"

// ==== feature_view.hpp
#ifndef ALDIS_feature_view_118651440b811a4c
#define ALDIS_feature_view_118651440b811a4c

// [as in the base]
#include "feature/message_view.hpp"
#include "feature/message_header_view.hpp"

// ==== feature_writer.hpp
#ifndef ALDIS_feature_writer_118651440b811a4c
#define ALDIS_feature_writer_118651440b811a4c

// [as in the base]
#include "feature/message_writer.hpp"
#include "feature/message_header_writer.hpp"

// ==== feature/forms.hpp
#ifndef ALDIS_feature_OF_forms_118651440b811a4c
#define ALDIS_feature_OF_forms_118651440b811a4c

// ==== feature/forms_json.hpp
#ifndef ALDIS_feature_OF_forms_json_118651440b811a4c
#define ALDIS_feature_OF_forms_json_118651440b811a4c

// ==== feature/forms_view.hpp
#ifndef ALDIS_feature_OF_forms_view_118651440b811a4c
#define ALDIS_feature_OF_forms_view_118651440b811a4c

// ==== feature/forms_writer.hpp
#ifndef ALDIS_feature_OF_forms_writer_118651440b811a4c
#define ALDIS_feature_OF_forms_writer_118651440b811a4c

// ==== feature/messages.hpp
#ifndef ALDIS_feature_OF_messages_118651440b811a4c
#define ALDIS_feature_OF_messages_118651440b811a4c

// [as in the base]
    Message,
    messageHeader,
};
// [as in the base]
        case message_id::Message: return "feature.Message";
        case message_id::messageHeader: return "feature.messageHeader";
        default: return {};
// [as in the base]
inline aldis::result<message_id> identify(std::span<const std::byte> in) {
    if (in.size() < 8) {
        return aldis::error{aldis::code::truncated, 0, {}};
    }
    if (aldis::load<std::uint16_t, aldis::little>(in.data() + 6) != 1) {
        return aldis::error{aldis::code::unknown_message, 6, {}};
    }
    switch (std::uint64_t{aldis::load<std::uint16_t, aldis::little>(in.data() + 4)}) {
        case 1: return message_id::Message;
        default: return aldis::error{aldis::code::unknown_message, 4, {}};
    }
// ==== feature/message.hpp
#ifndef ALDIS_feature_OF_message_118651440b811a4c
#define ALDIS_feature_OF_message_118651440b811a4c

// [as in the base]
    static bool size(aldis::sizer& out, const Message& value) {
        out.add(10);
        return size_Message(out, value);
// [as in the base]
    static void write(std::byte* at, const Message& value, std::uint64_t total) {
        std::memset(at, 0, 2);
        aldis::store<byte_order>(at + 2, std::uint16_t{4});
        aldis::store<byte_order>(at + 4, std::uint16_t{1});
        aldis::store<byte_order>(at + 6, std::uint16_t{1});
        aldis::store<byte_order>(at + 8, std::uint16_t{0});
        write_Message(at + 10, value, at + total);
    }
// [as in the base]
        const std::byte* const head = in.begin();
        if (!in.need_head(head, 10,
            {{0, 2, "session"}, {2, 4, "blockLength"}, {4, 6, "templateId"}, {6, 8, "schemaId"}, {8, 10, "version"}})) {
            return nullptr;
        }
        const std::uint64_t extent = reader::load<std::uint16_t>(head + 2);
        if (reader::load<std::uint16_t>(head + 4) != 1) {
// [as in the base]
        }
        if (reader::load<std::uint16_t>(head + 6) != 1) {
            return in.fail_type(head + 6);
        }
        const std::byte* const end = read_Message(in, head + 10, extent, value);
        return end;
// ==== feature/message_json.hpp
#ifndef ALDIS_feature_OF_message_json_118651440b811a4c
#define ALDIS_feature_OF_message_json_118651440b811a4c

// ==== feature/message_view.hpp
#ifndef ALDIS_feature_OF_message_view_118651440b811a4c
#define ALDIS_feature_OF_message_view_118651440b811a4c

// [as in the base]
        const std::byte* const head = in.begin();
        if (!in.need_head(head, 10,
            {{0, 2, "session"}, {2, 4, "blockLength"}, {4, 6, "templateId"}, {6, 8, "schemaId"}, {8, 10, "version"}})) {
            return nullptr;
        }
        const std::uint64_t extent = reader::load<std::uint16_t>(head + 2);
        if (reader::load<std::uint16_t>(head + 4) != 1) {
// [as in the base]
        }
        if (reader::load<std::uint16_t>(head + 6) != 1) {
            return in.fail_type(head + 6);
        }
        record = {head + 10, head + 10, extent, 0};
        const std::byte* const end = verify_Message(in, head + 10, extent);
        return end;
// ==== feature/message_writer.hpp
#ifndef ALDIS_feature_OF_message_writer_118651440b811a4c
#define ALDIS_feature_OF_message_writer_118651440b811a4c

// [as in the base]
    using type = writer::Message;
    static constexpr std::size_t head_size = 10;
    static void seal(std::byte* at, [[maybe_unused]] std::uint64_t total) {
        std::memset(at, 0, 2);
        aldis::store<byte_order>(at + 2, std::uint16_t{4});
        aldis::store<byte_order>(at + 4, std::uint16_t{1});
        aldis::store<byte_order>(at + 6, std::uint16_t{1});
        aldis::store<byte_order>(at + 8, std::uint16_t{0});
    }
// ==== feature/message_header.hpp
// Generated by aldis 0.0.0 from schema 118651440b811a4c. Do not edit.
#ifndef ALDIS_feature_OF_message_header_118651440b811a4c
#define ALDIS_feature_OF_message_header_118651440b811a4c

#include "forms.hpp"

namespace feature {

struct messageHeader;

/// `feature.messageHeader`
///
/// Layout in sbe:
///   offset    size  field
///        0       2  session
///               10  (total)
struct messageHeader {
    std::uint16_t session = 0;

    bool operator==(const messageHeader&) const = default;
};

// ----------------------------------------------------------------------------------------------------
// Form sbe
// ----------------------------------------------------------------------------------------------------

namespace wire_sbe {

inline constexpr std::array<aldis::cut, 1> cuts_messageHeader{{{0, 2, "session"}}};
inline const std::byte* read_messageHeader(auto& in, const std::byte* at, messageHeader& value);
inline bool size_messageHeader(aldis::sizer& out, const messageHeader& value);
inline std::byte* write_messageHeader(std::byte* at, const messageHeader& value, const std::byte* end);

// ---- feature.messageHeader

[[nodiscard, gnu::always_inline]] inline const std::byte* read_messageHeader(
    auto& in,
    const std::byte* at,
    messageHeader& value) {
    if (!in.enter(at)) {
        return nullptr;
    }
    if (!in.need_run(at, 10, 0, cuts_messageHeader)) {
        return nullptr;
    }
    value.session = reader::load<std::uint16_t>(at);
    at += 10;
    in.leave();
    return at;
}

inline bool size_messageHeader(aldis::sizer& out, [[maybe_unused]] const messageHeader& value) {
    out.add(10);
    return true;
}

inline std::byte* write_messageHeader(
    std::byte* at,
    const messageHeader& value,
    [[maybe_unused]] const std::byte* end) {
    std::memset(at + 2, 0, 8);
    aldis::store<byte_order>(at, value.session);
    return at + 10;
}

template <>
struct message_of<messageHeader> {
    using reader_type = reader;
    static constexpr bool writes_unpaid = false;

    static bool size(aldis::sizer& out, const messageHeader& value) {
        out.add(0);
        return size_messageHeader(out, value);
    }
    static void write(std::byte* at, const messageHeader& value, std::uint64_t total) {
        write_messageHeader(at, value, at + total);
    }
    [[nodiscard, gnu::always_inline]] static const std::byte* read(auto& in, messageHeader& value) {
        const std::byte* const head = in.begin();
        if (!in.need_head(head, 0, {})) {
            return nullptr;
        }
        const std::byte* const end = read_messageHeader(in, head, value);
        return end;
    }
};

}  // namespace wire_sbe

/// The header value of a message; no more of it is read. `verify` gives its view.
inline aldis::result<messageHeader> header_of(std::span<const std::byte> in, const aldis::limits& most = {}) {
    return decode<messageHeader>(in, most);
}

/// Puts a header value into the bytes of a message, whatever it has there; gives the header's size.
inline aldis::result<std::size_t> put_header(
    std::span<std::byte> in,
    const messageHeader& header,
    const aldis::limits& most = {}) {
    std::array<std::byte, 10> given;
    if (const auto made = encode(header, given, most); !made) {
        return made.error();
    }
    if (in.size() < given.size()) {
        return aldis::error{aldis::code::truncated, 0, {}};
    }
    std::memcpy(in.data(), given.data(), 2);
    return given.size();
}

/// Writes a message with its header value.
template <wire_sbe::message T>
inline aldis::result<std::size_t> encode(
    const T& value,
    const messageHeader& header,
    std::span<std::byte> out,
    const aldis::limits& most = {}) {
    auto made = encode(value, out, most);
    if (made) {
        if (const auto put = put_header(out, header, most); !put) {
            return put.error();
        }
    }
    return made;
}

/// Writes a message with its header value.
template <wire_sbe::message T>
inline aldis::result<std::span<const std::byte>> encode(
    const T& value,
    const messageHeader& header,
    aldis::buffer& out,
    const aldis::limits& most = {}) {
    auto made = encode(value, out, most);
    if (made) {
        if (const auto put = put_header(out.written(), header, most); !put) {
            return put.error();
        }
    }
    return made;
}

}  // namespace feature

#endif
// ==== feature/message_header_json.hpp
// Generated by aldis 0.0.0 from schema 118651440b811a4c. Do not edit.
#ifndef ALDIS_feature_OF_message_header_json_118651440b811a4c
#define ALDIS_feature_OF_message_header_json_118651440b811a4c

#include "forms_json.hpp"
#include "message_header.hpp"

namespace feature {

template <aldis::json::policy P>
bool write_json(aldis::json::writer<P>& out, const messageHeader& value);
template <aldis::json::policy P>
bool read_json(aldis::json::reader<P>& in, messageHeader& value);

template <aldis::json::policy P>
bool write_json(aldis::json::writer<P>& out, const messageHeader& value) {
    namespace as = aldis::json::as;
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"session":)", "session", aldis::json::write_as<as::integer, decltype(value.session)>}};
    const void* const places[]{&value.session};
    return out.write_members(members, places);
}

template <aldis::json::policy P>
bool read_json(aldis::json::reader<P>& in, messageHeader& value) {
    namespace as = aldis::json::as;
    static constexpr aldis::json::read_member<P> members[]{
        {"session", "session", aldis::json::read_as<as::integer, decltype(value.session)>, nullptr}};
    const void* const places[]{&value.session};
    std::uint64_t seen[1]{};
    return in.read_members(members, seen, places);
}

}  // namespace feature

#endif
// ==== feature/message_header_view.hpp
// Generated by aldis 0.0.0 from schema 118651440b811a4c. Do not edit.
#ifndef ALDIS_feature_OF_message_header_view_118651440b811a4c
#define ALDIS_feature_OF_message_header_view_118651440b811a4c

#include "forms_view.hpp"
#include "message_header.hpp"

namespace feature {

namespace view {

class messageHeader;

/// `feature.messageHeader`
class messageHeader {
public:
    /// All of its fields are empty, zero or missing.
    messageHeader() noexcept : messageHeader(aldis::nowhere<10>()) {}
    explicit messageHeader(const aldis::verified& place) noexcept : place_(place) {}

    [[nodiscard]] std::uint16_t session() const noexcept { return in_place::load<std::uint16_t>(place_.at); }

    /// The byte behind the record.
    friend const std::byte* end_of(const messageHeader& record) noexcept {
        return record.place_.at + 10;
    }

private:
    aldis::verified place_;
};

}  // namespace view

namespace wire_sbe {

inline const std::byte* verify_messageHeader(auto& in, const std::byte* at);

[[nodiscard, gnu::always_inline]] inline const std::byte* verify_messageHeader(auto& in, const std::byte* at) {
    if (!in.enter(at)) {
        return nullptr;
    }
    if (!in.need_run(at, 10, 0, cuts_messageHeader)) {
        return nullptr;
    }
    at += 10;
    in.leave();
    return at;
}

template <>
struct view_of<messageHeader> {
    using reader_type = reader;
    using type = view::messageHeader;
    using place = aldis::verified;

    /// Checks a message and notes where its record is; gives where it ends.
    [[nodiscard, gnu::always_inline]] static const std::byte* verify(auto& in, place& record) {
        const std::byte* const head = in.begin();
        if (!in.need_head(head, 0, {})) {
            return nullptr;
        }
        record = {head, head, 0, 0};
        const std::byte* const end = verify_messageHeader(in, head);
        return end;
    }
};

}  // namespace wire_sbe

}  // namespace feature

#endif
// ==== feature/message_header_writer.hpp
// Generated by aldis 0.0.0 from schema 118651440b811a4c. Do not edit.
#ifndef ALDIS_feature_OF_message_header_writer_118651440b811a4c
#define ALDIS_feature_OF_message_header_writer_118651440b811a4c

#include "forms_writer.hpp"
#include "message_header.hpp"

namespace feature {

namespace writer {

class messageHeader;

/// `feature.messageHeader`
class messageHeader {
public:
    /// Begun by `write`, or by the writer of the record that holds it.
    explicit messageHeader(aldis::draft& draft) : draft_(&draft), place_(draft.enter_record(steps)) {}

    bool session(std::uint16_t value) { return draft_->set<byte_order>(place_, {.run = 0, .at = 0}, value, "session"); }

private:
    static void fill_0(std::byte* at) {
        std::memset(at, 0, 10);
    }
    static constexpr std::array<aldis::draft_step, 1> steps{{{10, fill_0}}};
    aldis::draft* draft_;
    aldis::draft_place place_;
};

}  // namespace writer

namespace wire_sbe {

template <>
struct writer_of<messageHeader> {
    using type = writer::messageHeader;
    static constexpr std::size_t head_size = 0;
    static void seal([[maybe_unused]] std::byte* at, [[maybe_unused]] std::uint64_t total) {
    }
};

}  // namespace wire_sbe

}  // namespace feature

#endif
// ==== feature_stream.hpp
#ifndef ALDIS_feature_stream_118651440b811a4c
#define ALDIS_feature_stream_118651440b811a4c

