// ==== feature.hpp
// A bit.
#ifndef ALDIS_feature_78dfc24abbb06c63
#define ALDIS_feature_78dfc24abbb06c63

// ==== feature_json.hpp
// A bit.
#ifndef ALDIS_feature_json_78dfc24abbb06c63
#define ALDIS_feature_json_78dfc24abbb06c63

// ==== feature_view.hpp
// A bit.
#ifndef ALDIS_feature_view_78dfc24abbb06c63
#define ALDIS_feature_view_78dfc24abbb06c63

// ==== feature_writer.hpp
// A bit.
#ifndef ALDIS_feature_writer_78dfc24abbb06c63
#define ALDIS_feature_writer_78dfc24abbb06c63

// ==== feature/forms.hpp
// A bit.
#ifndef ALDIS_feature_OF_forms_78dfc24abbb06c63
#define ALDIS_feature_OF_forms_78dfc24abbb06c63

#define ALDIS_DIGEST_OF_feature 0x78dfc24abbb06c63

// ==== feature/forms_json.hpp
// A bit.
#ifndef ALDIS_feature_OF_forms_json_78dfc24abbb06c63
#define ALDIS_feature_OF_forms_json_78dfc24abbb06c63

// ==== feature/forms_view.hpp
// A bit.
#ifndef ALDIS_feature_OF_forms_view_78dfc24abbb06c63
#define ALDIS_feature_OF_forms_view_78dfc24abbb06c63

// ==== feature/forms_writer.hpp
// A bit.
#ifndef ALDIS_feature_OF_forms_writer_78dfc24abbb06c63
#define ALDIS_feature_OF_forms_writer_78dfc24abbb06c63

// ==== feature/messages.hpp
// A bit.
#ifndef ALDIS_feature_OF_messages_78dfc24abbb06c63
#define ALDIS_feature_OF_messages_78dfc24abbb06c63

// ==== feature/message.hpp
// A bit.
#ifndef ALDIS_feature_OF_message_78dfc24abbb06c63
#define ALDIS_feature_OF_message_78dfc24abbb06c63

// [as in the base]
///   offset    size  field
///      0.0   1 bit  urgent
struct Message {
    bool urgent = false;

// [as in the base]

inline constexpr aldis::lacks<1, 0> lacks_Message{{{{1, 1}}}, {}};
inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value);
// [as in the base]
    const aldis::segments::data_of<8> data(at);
    value.urgent = data.bit(0, 0);
    return true;
// [as in the base]
    std::memset(at, 0, 8);
    aldis::segments::store_bit(at, 0, value.urgent);
}
// ==== feature/message_json.hpp
// A bit.
#ifndef ALDIS_feature_OF_message_json_78dfc24abbb06c63
#define ALDIS_feature_OF_message_json_78dfc24abbb06c63

// [as in the base]
    namespace as = aldis::json::as;
    out.member(R"("urgent":)");
    if (!as::boolean::write(out, value.urgent)) {
        return out.in_field("urgent");
    }
// [as in the base]
    namespace as = aldis::json::as;
    static constexpr std::array<std::string_view, 1> names{{"urgent"}};
    aldis::json::members<1, true> object;
// [as in the base]
        switch (object.field) {
            case 0: read = as::boolean::read(in, value.urgent); break;
        }
// [as in the base]
    if (!object.has(0)) {
        value.urgent = false;
    }
// ==== feature/message_view.hpp
// A bit.
#ifndef ALDIS_feature_OF_message_view_78dfc24abbb06c63
#define ALDIS_feature_OF_message_view_78dfc24abbb06c63

// [as in the base]

    [[nodiscard]] bool urgent() const noexcept { return place_.bit(0, 0); }

// ==== feature/message_writer.hpp
// A bit.
#ifndef ALDIS_feature_OF_message_writer_78dfc24abbb06c63
#define ALDIS_feature_OF_message_writer_78dfc24abbb06c63

// [as in the base]

    void urgent(bool value) const { place_.set_bit(0, 0, value); }

// ==== feature_stream.hpp
// A bit.
#ifndef ALDIS_feature_stream_78dfc24abbb06c63
#define ALDIS_feature_stream_78dfc24abbb06c63

