// ==== feature.hpp
// A default, by which what is stored differs.
#ifndef ALDIS_feature_9280c88053c75caf
#define ALDIS_feature_9280c88053c75caf

// ==== feature_json.hpp
// A default, by which what is stored differs.
#ifndef ALDIS_feature_json_9280c88053c75caf
#define ALDIS_feature_json_9280c88053c75caf

// ==== feature_view.hpp
// A default, by which what is stored differs.
#ifndef ALDIS_feature_view_9280c88053c75caf
#define ALDIS_feature_view_9280c88053c75caf

// ==== feature_writer.hpp
// A default, by which what is stored differs.
#ifndef ALDIS_feature_writer_9280c88053c75caf
#define ALDIS_feature_writer_9280c88053c75caf

// ==== feature/forms.hpp
// A default, by which what is stored differs.
#ifndef ALDIS_feature_OF_forms_9280c88053c75caf
#define ALDIS_feature_OF_forms_9280c88053c75caf

#define ALDIS_DIGEST_OF_feature 0x9280c88053c75caf

// ==== feature/forms_json.hpp
// A default, by which what is stored differs.
#ifndef ALDIS_feature_OF_forms_json_9280c88053c75caf
#define ALDIS_feature_OF_forms_json_9280c88053c75caf

// ==== feature/forms_view.hpp
// A default, by which what is stored differs.
#ifndef ALDIS_feature_OF_forms_view_9280c88053c75caf
#define ALDIS_feature_OF_forms_view_9280c88053c75caf

// ==== feature/forms_writer.hpp
// A default, by which what is stored differs.
#ifndef ALDIS_feature_OF_forms_writer_9280c88053c75caf
#define ALDIS_feature_OF_forms_writer_9280c88053c75caf

// ==== feature/messages.hpp
// A default, by which what is stored differs.
#ifndef ALDIS_feature_OF_messages_9280c88053c75caf
#define ALDIS_feature_OF_messages_9280c88053c75caf

// ==== feature/message.hpp
// A default, by which what is stored differs.
#ifndef ALDIS_feature_OF_message_9280c88053c75caf
#define ALDIS_feature_OF_message_9280c88053c75caf

// [as in the base]
///   offset    size  field
///        0       2  size
struct Message {
    std::int16_t size = 5;

// [as in the base]

inline constexpr aldis::lacks<1, 0> lacks_Message{{{{2, 4}}}, {}};
inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value);
// [as in the base]
    const aldis::segments::data_of<8> data(at);
    value.size = data.get<std::int16_t>(0, 5);
    return true;
// [as in the base]
    std::memset(at, 0, 8);
    aldis::segments::store_apart<std::int16_t>(at, value.size, 5);
}
// ==== feature/message_json.hpp
// A default, by which what is stored differs.
#ifndef ALDIS_feature_OF_message_json_9280c88053c75caf
#define ALDIS_feature_OF_message_json_9280c88053c75caf

// [as in the base]
    namespace as = aldis::json::as;
    out.member(R"("size":)");
    if (!as::integer::write(out, value.size)) {
        return out.in_field("size");
    }
// [as in the base]
    namespace as = aldis::json::as;
    static constexpr std::array<std::string_view, 1> names{{"size"}};
    aldis::json::members<1, true> object;
// [as in the base]
        switch (object.field) {
            case 0: read = as::integer::read(in, value.size); break;
        }
// [as in the base]
    if (!object.has(0)) {
        value.size = 5;
    }
// ==== feature/message_view.hpp
// A default, by which what is stored differs.
#ifndef ALDIS_feature_OF_message_view_9280c88053c75caf
#define ALDIS_feature_OF_message_view_9280c88053c75caf

// [as in the base]

    [[nodiscard]] std::int16_t size() const noexcept { return place_.get<std::int16_t>(0, 5); }

// ==== feature/message_writer.hpp
// A default, by which what is stored differs.
#ifndef ALDIS_feature_OF_message_writer_9280c88053c75caf
#define ALDIS_feature_OF_message_writer_9280c88053c75caf

// [as in the base]

    void size(std::int16_t value) const { place_.set<std::int16_t>(0, value, 5); }

// ==== feature_stream.hpp
// A default, by which what is stored differs.
#ifndef ALDIS_feature_stream_9280c88053c75caf
#define ALDIS_feature_stream_9280c88053c75caf

