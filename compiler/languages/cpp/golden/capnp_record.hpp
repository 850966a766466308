// ==== feature.hpp
// A record behind a pointer.
#ifndef ALDIS_feature_579ec5c8d3120817
#define ALDIS_feature_579ec5c8d3120817

// ==== feature_json.hpp
// A record behind a pointer.
#ifndef ALDIS_feature_json_579ec5c8d3120817
#define ALDIS_feature_json_579ec5c8d3120817

// ==== feature_view.hpp
// A record behind a pointer.
#ifndef ALDIS_feature_view_579ec5c8d3120817
#define ALDIS_feature_view_579ec5c8d3120817

// ==== feature_writer.hpp
// A record behind a pointer.
#ifndef ALDIS_feature_writer_579ec5c8d3120817
#define ALDIS_feature_writer_579ec5c8d3120817

// ==== feature/forms.hpp
// A record behind a pointer.
#ifndef ALDIS_feature_OF_forms_579ec5c8d3120817
#define ALDIS_feature_OF_forms_579ec5c8d3120817

#define ALDIS_DIGEST_OF_feature 0x579ec5c8d3120817

// ==== feature/forms_json.hpp
// A record behind a pointer.
#ifndef ALDIS_feature_OF_forms_json_579ec5c8d3120817
#define ALDIS_feature_OF_forms_json_579ec5c8d3120817

// ==== feature/forms_view.hpp
// A record behind a pointer.
#ifndef ALDIS_feature_OF_forms_view_579ec5c8d3120817
#define ALDIS_feature_OF_forms_view_579ec5c8d3120817

// ==== feature/forms_writer.hpp
// A record behind a pointer.
#ifndef ALDIS_feature_OF_forms_writer_579ec5c8d3120817
#define ALDIS_feature_OF_forms_writer_579ec5c8d3120817

// ==== feature/messages.hpp
// A record behind a pointer.
#ifndef ALDIS_feature_OF_messages_579ec5c8d3120817
#define ALDIS_feature_OF_messages_579ec5c8d3120817

// ==== feature/message.hpp
// A record behind a pointer.
#ifndef ALDIS_feature_OF_message_579ec5c8d3120817
#define ALDIS_feature_OF_message_579ec5c8d3120817

// [as in the base]
///
/// Layout: 0 words of data, 1 pointer
///   offset    size  field
///       *0       8  next
struct Message {
    aldis::box<Message> next;

// [as in the base]

inline constexpr aldis::lacks<0, 1> lacks_Message{{}, {{{8, 6}}}};
inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value);
// [as in the base]

inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value) {
    if (!in.record(at.pointer(0), value.next, read_Message, lacks_Message)) {
        return in.in_field("next");
    }
    return true;
// [as in the base]

inline bool size_Message(aldis::segments::sizer& out, const Message& value) {
    if (!out.record(value.next, 1, size_Message)) {
        return out.in_field("next");
    }
    return true;
// [as in the base]

inline void write_Message(aldis::segments::writer& out, std::byte* at, const Message& value) {
    std::memset(at, 0, 8);
    out.record(at, value.next, 0, 1, write_Message);
}
// [as in the base]
struct message_of<Message> {
    static constexpr std::uint64_t data = 0;
    static constexpr std::uint64_t pointers = 1;
    static constexpr bool writes_unpaid = false;
// ==== feature/message_json.hpp
// A record behind a pointer.
#ifndef ALDIS_feature_OF_message_json_579ec5c8d3120817
#define ALDIS_feature_OF_message_json_579ec5c8d3120817

// [as in the base]
    namespace as = aldis::json::as;
    if (value.next.has_value()) {
        out.member(R"("next":)");
        if (!as::record::write(out, *value.next)) {
            return out.in_field("next");
        }
    }
// [as in the base]
    namespace as = aldis::json::as;
    static constexpr std::array<std::string_view, 1> names{{"next"}};
    aldis::json::members<1, true> object;
// [as in the base]
        switch (object.field) {
            case 0: read = as::optional<as::record>::read(in, value.next); break;
        }
// [as in the base]
    if (!object.has(0)) {
        value.next.reset();
    }
// ==== feature/message_view.hpp
// A record behind a pointer.
#ifndef ALDIS_feature_OF_message_view_579ec5c8d3120817
#define ALDIS_feature_OF_message_view_579ec5c8d3120817

// [as in the base]

    [[nodiscard]] std::optional<view::Message> next() const noexcept {
        return place_.follow<in_place::record<view::Message>>(0);
    }

// [as in the base]

inline bool verify_Message(aldis::segments::verifier& in, const aldis::segments::body& at) {
    if (!in.record(at.pointer(0), verify_Message, lacks_Message)) {
        return in.in_field("next");
    }
    return true;
// ==== feature/message_writer.hpp
// A record behind a pointer.
#ifndef ALDIS_feature_OF_message_writer_579ec5c8d3120817
#define ALDIS_feature_OF_message_writer_579ec5c8d3120817

// [as in the base]

    writer::Message next() const { return place_.put<drafts::record<writer::Message, 0, 1>>(0); }
    void next(std::nullopt_t) const { place_.set_null(0); }

// ==== feature_stream.hpp
// A record behind a pointer.
#ifndef ALDIS_feature_stream_579ec5c8d3120817
#define ALDIS_feature_stream_579ec5c8d3120817

