// ==== feature.hpp
// Records behind a pointer.
#ifndef ALDIS_feature_b395ae0ee70eaade
#define ALDIS_feature_b395ae0ee70eaade

// ==== feature_json.hpp
// Records behind a pointer.
#ifndef ALDIS_feature_json_b395ae0ee70eaade
#define ALDIS_feature_json_b395ae0ee70eaade

// ==== feature_view.hpp
// Records behind a pointer.
#ifndef ALDIS_feature_view_b395ae0ee70eaade
#define ALDIS_feature_view_b395ae0ee70eaade

// ==== feature_writer.hpp
// Records behind a pointer.
#ifndef ALDIS_feature_writer_b395ae0ee70eaade
#define ALDIS_feature_writer_b395ae0ee70eaade

// ==== feature/forms.hpp
// Records behind a pointer.
#ifndef ALDIS_feature_OF_forms_b395ae0ee70eaade
#define ALDIS_feature_OF_forms_b395ae0ee70eaade

#define ALDIS_DIGEST_OF_feature 0xb395ae0ee70eaade

// ==== feature/forms_json.hpp
// Records behind a pointer.
#ifndef ALDIS_feature_OF_forms_json_b395ae0ee70eaade
#define ALDIS_feature_OF_forms_json_b395ae0ee70eaade

// ==== feature/forms_view.hpp
// Records behind a pointer.
#ifndef ALDIS_feature_OF_forms_view_b395ae0ee70eaade
#define ALDIS_feature_OF_forms_view_b395ae0ee70eaade

// ==== feature/forms_writer.hpp
// Records behind a pointer.
#ifndef ALDIS_feature_OF_forms_writer_b395ae0ee70eaade
#define ALDIS_feature_OF_forms_writer_b395ae0ee70eaade

// ==== feature/messages.hpp
// Records behind a pointer.
#ifndef ALDIS_feature_OF_messages_b395ae0ee70eaade
#define ALDIS_feature_OF_messages_b395ae0ee70eaade

// ==== feature/message.hpp
// Records behind a pointer.
#ifndef ALDIS_feature_OF_message_b395ae0ee70eaade
#define ALDIS_feature_OF_message_b395ae0ee70eaade

// [as in the base]

#include <vector>

namespace feature {
// [as in the base]
///
/// Layout: 0 words of data, 1 pointer
///   offset    size  field
///       *0       8  parts
struct Message {
    std::optional<std::vector<Message>> parts;

// [as in the base]

inline constexpr aldis::lacks<0, 1> lacks_Message{{}, {{{8, 5}}}};
inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value);
// [as in the base]

inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value) {
    if (!in.records(at.pointer(0), value.parts, read_Message, lacks_Message)) {
        return in.in_field("parts");
    }
    return true;
// [as in the base]

inline bool size_Message(aldis::segments::sizer& out, const Message& value) {
    if (!out.records(value.parts, 1, size_Message)) {
        return out.in_field("parts");
    }
    return true;
// [as in the base]

inline void write_Message(aldis::segments::writer& out, std::byte* at, const Message& value) {
    std::memset(at, 0, 8);
    out.records(at, value.parts, 0, 1, write_Message);
}
// [as in the base]
struct message_of<Message> {
    static constexpr std::uint64_t data = 0;
    static constexpr std::uint64_t pointers = 1;
    static constexpr bool writes_unpaid = false;
// ==== feature/message_json.hpp
// Records behind a pointer.
#ifndef ALDIS_feature_OF_message_json_b395ae0ee70eaade
#define ALDIS_feature_OF_message_json_b395ae0ee70eaade

// [as in the base]
    namespace as = aldis::json::as;
    if (value.parts.has_value()) {
        out.member(R"("parts":)");
        if (!as::list<as::record>::write(out, *value.parts)) {
            return out.in_field("parts");
        }
    }
// [as in the base]
    namespace as = aldis::json::as;
    static constexpr std::array<std::string_view, 1> names{{"parts"}};
    aldis::json::members<1, true> object;
// [as in the base]
        switch (object.field) {
            case 0: read = as::optional<as::list<as::record>>::read(in, value.parts); break;
        }
// [as in the base]
    if (!object.has(0)) {
        value.parts.reset();
    }
// ==== feature/message_view.hpp
// Records behind a pointer.
#ifndef ALDIS_feature_OF_message_view_b395ae0ee70eaade
#define ALDIS_feature_OF_message_view_b395ae0ee70eaade

// [as in the base]

    [[nodiscard]] auto parts() const noexcept { return place_.follow<in_place::records<view::Message>>(0); }

// [as in the base]

inline bool verify_Message(aldis::segments::verifier& in, const aldis::segments::body& at) {
    if (!in.records(at.pointer(0), verify_Message, lacks_Message)) {
        return in.in_field("parts");
    }
    return true;
// ==== feature/message_writer.hpp
// Records behind a pointer.
#ifndef ALDIS_feature_OF_message_writer_b395ae0ee70eaade
#define ALDIS_feature_OF_message_writer_b395ae0ee70eaade

// [as in the base]

    auto parts(std::size_t count) const { return place_.put<drafts::records<writer::Message, 0, 1>>(0, count); }
    void parts(std::nullopt_t) const { place_.set_null(0); }

// ==== feature_stream.hpp
// Records behind a pointer.
#ifndef ALDIS_feature_stream_b395ae0ee70eaade
#define ALDIS_feature_stream_b395ae0ee70eaade

