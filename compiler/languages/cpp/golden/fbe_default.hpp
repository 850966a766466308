// ==== feature.hpp
// What the field is that an older writer does not know.
#ifndef ALDIS_feature_06db9ee6e7028815
#define ALDIS_feature_06db9ee6e7028815

// ==== feature_json.hpp
// What the field is that an older writer does not know.
#ifndef ALDIS_feature_json_06db9ee6e7028815
#define ALDIS_feature_json_06db9ee6e7028815

// ==== feature_view.hpp
// What the field is that an older writer does not know.
#ifndef ALDIS_feature_view_06db9ee6e7028815
#define ALDIS_feature_view_06db9ee6e7028815

// ==== feature_writer.hpp
// What the field is that an older writer does not know.
#ifndef ALDIS_feature_writer_06db9ee6e7028815
#define ALDIS_feature_writer_06db9ee6e7028815

// ==== feature/forms.hpp
// What the field is that an older writer does not know.
#ifndef ALDIS_feature_OF_forms_06db9ee6e7028815
#define ALDIS_feature_OF_forms_06db9ee6e7028815

#define ALDIS_DIGEST_OF_feature 0x06db9ee6e7028815

// ==== feature/forms_json.hpp
// What the field is that an older writer does not know.
#ifndef ALDIS_feature_OF_forms_json_06db9ee6e7028815
#define ALDIS_feature_OF_forms_json_06db9ee6e7028815

// ==== feature/forms_view.hpp
// What the field is that an older writer does not know.
#ifndef ALDIS_feature_OF_forms_view_06db9ee6e7028815
#define ALDIS_feature_OF_forms_view_06db9ee6e7028815

// ==== feature/forms_writer.hpp
// What the field is that an older writer does not know.
#ifndef ALDIS_feature_OF_forms_writer_06db9ee6e7028815
#define ALDIS_feature_OF_forms_writer_06db9ee6e7028815

// ==== feature/messages.hpp
// What the field is that an older writer does not know.
#ifndef ALDIS_feature_OF_messages_06db9ee6e7028815
#define ALDIS_feature_OF_messages_06db9ee6e7028815

// ==== feature/message.hpp
// What the field is that an older writer does not know.
#ifndef ALDIS_feature_OF_message_06db9ee6e7028815
#define ALDIS_feature_OF_message_06db9ee6e7028815

// [as in the base]
///        4       4  (type)
///        8       4  size
///               12  (total, as this schema's writers write it)
struct Message {
    std::int32_t size = 5;

// [as in the base]

inline constexpr std::array<aldis::cut, 1> cuts_Message{{{8, 12, "size"}}};
inline constexpr aldis::sized_block<std::uint32_t, std::uint32_t, 0, 1> block_Message{.head = 8, .size = 12,
// [as in the base]
    Message& value) {
    value.size = Whole || extent >= 12 ? reader::load<std::int32_t>(at + 8) : std::int32_t{5};
    return at + extent;
// [as in the base]
    aldis::store<byte_order>(at + 4, std::uint32_t{1});
    aldis::store<byte_order>(at + 8, value.size);
    return at + 12;
// ==== feature/message_json.hpp
// What the field is that an older writer does not know.
#ifndef ALDIS_feature_OF_message_json_06db9ee6e7028815
#define ALDIS_feature_OF_message_json_06db9ee6e7028815

// [as in the base]
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"size":)", "size", aldis::json::write_as<as::integer, decltype(value.size)>}};
    const void* const places[]{&value.size};
    return out.write_members(members, places);
// [as in the base]
    static constexpr aldis::json::read_member<P> members[]{
        {"size", "size", aldis::json::read_as<as::integer, decltype(value.size)>, aldis::json::kept}};
    const void* const places[]{&value.size};
    std::uint64_t seen[1]{};
    if (!in.read_members(members, seen, places)) {
        return false;
    }
    if (!aldis::json::is_seen(seen, 0)) {
        value.size = 5;
    }
    return true;
}
// ==== feature/message_view.hpp
// What the field is that an older writer does not know.
#ifndef ALDIS_feature_OF_message_view_06db9ee6e7028815
#define ALDIS_feature_OF_message_view_06db9ee6e7028815

// [as in the base]

    [[nodiscard]] std::int32_t size() const noexcept {
        return place_.extent >= 12 ? in_place::load<std::int32_t>(place_.at + 8) : std::int32_t{5};
    }
// ==== feature/message_writer.hpp
// What the field is that an older writer does not know.
#ifndef ALDIS_feature_OF_message_writer_06db9ee6e7028815
#define ALDIS_feature_OF_message_writer_06db9ee6e7028815

// [as in the base]

    bool size(std::int32_t value) { return draft_->set<byte_order>({at_, 8}, value); }

// [as in the base]
        aldis::store<byte_order>(at + 4, std::uint32_t{1});
        aldis::store<byte_order>(at + 8, std::int32_t(5));
    }
// ==== feature_stream.hpp
// What the field is that an older writer does not know.
#ifndef ALDIS_feature_stream_06db9ee6e7028815
#define ALDIS_feature_stream_06db9ee6e7028815

