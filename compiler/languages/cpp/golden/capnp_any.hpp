// ==== feature.hpp
// What a pointer leads to is kept as it is.
#ifndef ALDIS_feature_a35685c588ef1d8b
#define ALDIS_feature_a35685c588ef1d8b

// ==== feature_json.hpp
// What a pointer leads to is kept as it is.
#ifndef ALDIS_feature_json_a35685c588ef1d8b
#define ALDIS_feature_json_a35685c588ef1d8b

// ==== feature_view.hpp
// What a pointer leads to is kept as it is.
#ifndef ALDIS_feature_view_a35685c588ef1d8b
#define ALDIS_feature_view_a35685c588ef1d8b

// ==== feature_writer.hpp
// What a pointer leads to is kept as it is.
#ifndef ALDIS_feature_writer_a35685c588ef1d8b
#define ALDIS_feature_writer_a35685c588ef1d8b

// ==== feature/forms.hpp
// What a pointer leads to is kept as it is.
#ifndef ALDIS_feature_OF_forms_a35685c588ef1d8b
#define ALDIS_feature_OF_forms_a35685c588ef1d8b

#define ALDIS_DIGEST_OF_feature 0xa35685c588ef1d8b

// ==== feature/forms_json.hpp
// What a pointer leads to is kept as it is.
#ifndef ALDIS_feature_OF_forms_json_a35685c588ef1d8b
#define ALDIS_feature_OF_forms_json_a35685c588ef1d8b

// ==== feature/forms_view.hpp
// What a pointer leads to is kept as it is.
#ifndef ALDIS_feature_OF_forms_view_a35685c588ef1d8b
#define ALDIS_feature_OF_forms_view_a35685c588ef1d8b

// ==== feature/forms_writer.hpp
// What a pointer leads to is kept as it is.
#ifndef ALDIS_feature_OF_forms_writer_a35685c588ef1d8b
#define ALDIS_feature_OF_forms_writer_a35685c588ef1d8b

// ==== feature/messages.hpp
// What a pointer leads to is kept as it is.
#ifndef ALDIS_feature_OF_messages_a35685c588ef1d8b
#define ALDIS_feature_OF_messages_a35685c588ef1d8b

// ==== feature/message.hpp
// What a pointer leads to is kept as it is.
#ifndef ALDIS_feature_OF_message_a35685c588ef1d8b
#define ALDIS_feature_OF_message_a35685c588ef1d8b

// [as in the base]
///
/// Layout: 0 words of data, 1 pointer
///   offset    size  field
///       *0       8  any
struct Message {
    std::optional<aldis::any_pointer> any{};

// [as in the base]

inline constexpr aldis::lacks<0, 1> lacks_Message{{}, {{{8, 5}}}};
inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value);
// [as in the base]

inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value) {
    if (!in.any(at.pointer(0), value.any)) {
        return in.in_field("any");
    }
    return true;
// [as in the base]

inline bool size_Message(aldis::segments::sizer& out, const Message& value) {
    if (!out.any(value.any)) {
        return out.in_field("any");
    }
    return true;
// [as in the base]

inline void write_Message(aldis::segments::writer& out, std::byte* at, const Message& value) {
    std::memset(at, 0, 8);
    out.any(at, value.any);
}
// [as in the base]
struct message_of<Message> {
    static constexpr std::uint64_t data = 0;
    static constexpr std::uint64_t pointers = 1;
    static constexpr bool writes_unpaid = true;
    static constexpr auto read = read_Message;
// ==== feature/message_json.hpp
// What a pointer leads to is kept as it is.
#ifndef ALDIS_feature_OF_message_json_a35685c588ef1d8b
#define ALDIS_feature_OF_message_json_a35685c588ef1d8b

// [as in the base]
    namespace as = aldis::json::as;
    if (value.any.has_value()) {
        out.member(R"("any":)");
        if (!as::open_value::write(out, *value.any)) {
            return out.in_field("any");
        }
    }
// [as in the base]
    namespace as = aldis::json::as;
    static constexpr std::array<std::string_view, 1> names{{"any"}};
    aldis::json::members<1, true> object;
// [as in the base]
        switch (object.field) {
            case 0: read = as::optional<as::open_value>::read(in, value.any); break;
        }
// [as in the base]
    if (!object.has(0)) {
        value.any.reset();
    }
// ==== feature/message_view.hpp
// What a pointer leads to is kept as it is.
#ifndef ALDIS_feature_OF_message_view_a35685c588ef1d8b
#define ALDIS_feature_OF_message_view_a35685c588ef1d8b

// [as in the base]

    [[nodiscard]] std::optional<aldis::segments::open_value> any() const noexcept {
        return place_.follow<in_place::any>(0);
    }

// [as in the base]

inline bool verify_Message(aldis::segments::verifier& in, const aldis::segments::body& at) {
    if (!in.any(at.pointer(0))) {
        return in.in_field("any");
    }
    return true;
// ==== feature/message_writer.hpp
// What a pointer leads to is kept as it is.
#ifndef ALDIS_feature_OF_message_writer_a35685c588ef1d8b
#define ALDIS_feature_OF_message_writer_a35685c588ef1d8b

// [as in the base]

    void any(std::optional<aldis::any_view> value) const { place_.put<drafts::any>(0, value); }

// ==== feature_stream.hpp
// What a pointer leads to is kept as it is.
#ifndef ALDIS_feature_stream_a35685c588ef1d8b
#define ALDIS_feature_stream_a35685c588ef1d8b

