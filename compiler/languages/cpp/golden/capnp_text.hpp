// ==== feature.hpp
// Text behind a pointer.
#ifndef ALDIS_feature_c533e10dc45a16d2
#define ALDIS_feature_c533e10dc45a16d2

// ==== feature_json.hpp
// Text behind a pointer.
#ifndef ALDIS_feature_json_c533e10dc45a16d2
#define ALDIS_feature_json_c533e10dc45a16d2

// ==== feature_view.hpp
// Text behind a pointer.
#ifndef ALDIS_feature_view_c533e10dc45a16d2
#define ALDIS_feature_view_c533e10dc45a16d2

// ==== feature_writer.hpp
// Text behind a pointer.
#ifndef ALDIS_feature_writer_c533e10dc45a16d2
#define ALDIS_feature_writer_c533e10dc45a16d2

// ==== feature/forms.hpp
// Text behind a pointer.
#ifndef ALDIS_feature_OF_forms_c533e10dc45a16d2
#define ALDIS_feature_OF_forms_c533e10dc45a16d2

#define ALDIS_DIGEST_OF_feature 0xc533e10dc45a16d2

// ==== feature/forms_json.hpp
// Text behind a pointer.
#ifndef ALDIS_feature_OF_forms_json_c533e10dc45a16d2
#define ALDIS_feature_OF_forms_json_c533e10dc45a16d2

// ==== feature/forms_view.hpp
// Text behind a pointer.
#ifndef ALDIS_feature_OF_forms_view_c533e10dc45a16d2
#define ALDIS_feature_OF_forms_view_c533e10dc45a16d2

// ==== feature/forms_writer.hpp
// Text behind a pointer.
#ifndef ALDIS_feature_OF_forms_writer_c533e10dc45a16d2
#define ALDIS_feature_OF_forms_writer_c533e10dc45a16d2

// ==== feature/messages.hpp
// Text behind a pointer.
#ifndef ALDIS_feature_OF_messages_c533e10dc45a16d2
#define ALDIS_feature_OF_messages_c533e10dc45a16d2

// ==== feature/message.hpp
// Text behind a pointer.
#ifndef ALDIS_feature_OF_message_c533e10dc45a16d2
#define ALDIS_feature_OF_message_c533e10dc45a16d2

// [as in the base]

#include <string>

namespace feature {
// [as in the base]
///
/// Layout: 0 words of data, 1 pointer
///   offset    size  field
///       *0       8  name
struct Message {
    std::optional<std::string> name{};

// [as in the base]

inline constexpr aldis::lacks<0, 1> lacks_Message{{}, {{{8, 5}}}};
inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value);
// [as in the base]

inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value) {
    if (!in.text(at.pointer(0), value.name)) {
        return in.in_field("name");
    }
    return true;
// [as in the base]

inline bool size_Message(aldis::segments::sizer& out, const Message& value) {
    if (!out.text(value.name)) {
        return out.in_field("name");
    }
    return true;
// [as in the base]

inline void write_Message(aldis::segments::writer& out, std::byte* at, const Message& value) {
    std::memset(at, 0, 8);
    out.text(at, value.name);
}
// [as in the base]
struct message_of<Message> {
    static constexpr std::uint64_t data = 0;
    static constexpr std::uint64_t pointers = 1;
    static constexpr bool writes_unpaid = false;
// ==== feature/message_json.hpp
// Text behind a pointer.
#ifndef ALDIS_feature_OF_message_json_c533e10dc45a16d2
#define ALDIS_feature_OF_message_json_c533e10dc45a16d2

// [as in the base]
    namespace as = aldis::json::as;
    if (value.name.has_value()) {
        out.member(R"("name":)");
        if (!as::text::write(out, *value.name)) {
            return out.in_field("name");
        }
    }
// [as in the base]
    namespace as = aldis::json::as;
    static constexpr std::array<std::string_view, 1> names{{"name"}};
    aldis::json::members<1, true> object;
// [as in the base]
        switch (object.field) {
            case 0: read = as::optional<as::text>::read(in, value.name); break;
        }
// [as in the base]
    if (!object.has(0)) {
        value.name.reset();
    }
// ==== feature/message_view.hpp
// Text behind a pointer.
#ifndef ALDIS_feature_OF_message_view_c533e10dc45a16d2
#define ALDIS_feature_OF_message_view_c533e10dc45a16d2

// [as in the base]

    [[nodiscard]] std::optional<std::string_view> name() const noexcept { return place_.follow<in_place::text>(0); }

// [as in the base]

inline bool verify_Message(aldis::segments::verifier& in, const aldis::segments::body& at) {
    if (!in.text(at.pointer(0))) {
        return in.in_field("name");
    }
    return true;
// ==== feature/message_writer.hpp
// Text behind a pointer.
#ifndef ALDIS_feature_OF_message_writer_c533e10dc45a16d2
#define ALDIS_feature_OF_message_writer_c533e10dc45a16d2

// [as in the base]

    void name(std::optional<std::string_view> value) const { place_.put<drafts::text>(0, value); }

// ==== feature_stream.hpp
// Text behind a pointer.
#ifndef ALDIS_feature_stream_c533e10dc45a16d2
#define ALDIS_feature_stream_c533e10dc45a16d2

