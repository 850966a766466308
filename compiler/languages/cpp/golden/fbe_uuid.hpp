// ==== feature.hpp
// An id of 16 bytes.
#ifndef ALDIS_feature_f1a1e0675ecb62f6
#define ALDIS_feature_f1a1e0675ecb62f6

// ==== feature_json.hpp
// An id of 16 bytes.
#ifndef ALDIS_feature_json_f1a1e0675ecb62f6
#define ALDIS_feature_json_f1a1e0675ecb62f6

// ==== feature_view.hpp
// An id of 16 bytes.
#ifndef ALDIS_feature_view_f1a1e0675ecb62f6
#define ALDIS_feature_view_f1a1e0675ecb62f6

// ==== feature_writer.hpp
// An id of 16 bytes.
#ifndef ALDIS_feature_writer_f1a1e0675ecb62f6
#define ALDIS_feature_writer_f1a1e0675ecb62f6

// ==== feature/forms.hpp
// An id of 16 bytes.
#ifndef ALDIS_feature_OF_forms_f1a1e0675ecb62f6
#define ALDIS_feature_OF_forms_f1a1e0675ecb62f6

#define ALDIS_DIGEST_OF_feature 0xf1a1e0675ecb62f6

// ==== feature/forms_json.hpp
// An id of 16 bytes.
#ifndef ALDIS_feature_OF_forms_json_f1a1e0675ecb62f6
#define ALDIS_feature_OF_forms_json_f1a1e0675ecb62f6

// ==== feature/forms_view.hpp
// An id of 16 bytes.
#ifndef ALDIS_feature_OF_forms_view_f1a1e0675ecb62f6
#define ALDIS_feature_OF_forms_view_f1a1e0675ecb62f6

// ==== feature/forms_writer.hpp
// An id of 16 bytes.
#ifndef ALDIS_feature_OF_forms_writer_f1a1e0675ecb62f6
#define ALDIS_feature_OF_forms_writer_f1a1e0675ecb62f6

// ==== feature/messages.hpp
// An id of 16 bytes.
#ifndef ALDIS_feature_OF_messages_f1a1e0675ecb62f6
#define ALDIS_feature_OF_messages_f1a1e0675ecb62f6

// ==== feature/message.hpp
// An id of 16 bytes.
#ifndef ALDIS_feature_OF_message_f1a1e0675ecb62f6
#define ALDIS_feature_OF_message_f1a1e0675ecb62f6

// [as in the base]
///        4       4  (type)
///        8      16  id
///               24  (total, as this schema's writers write it)
struct Message {
    aldis::uuid id{};

// [as in the base]

inline constexpr std::array<aldis::cut, 1> cuts_Message{{{8, 24, "id"}}};
inline constexpr aldis::sized_block<std::uint32_t, std::uint32_t, 0, 1> block_Message{.head = 8, .size = 24,
    .links = {}, .short_of = {{{24, 4}}}, .type = 1, .type_at = 4, .cuts = cuts_Message};
inline const std::byte* read_Message(auto& in, const std::byte* at, Message& value);
// [as in the base]
    Message& value) {
    if (Whole || extent >= 24) {
        std::memcpy(value.id.octets.data(), at + 8, 16);
    } else {
        value.id = {};
    }
    return at + extent;
// [as in the base]
inline bool size_Message(aldis::sizer& out, [[maybe_unused]] const Message& value) {
    out.add(24);
    return true;
// [as in the base]
inline std::byte* write_Message(std::byte* at, const Message& value, [[maybe_unused]] const std::byte* end) {
    aldis::store<byte_order>(at, std::uint32_t{24});
    aldis::store<byte_order>(at + 4, std::uint32_t{1});
    std::memcpy(at + 8, value.id.octets.data(), 16);
    return at + 24;
}
// ==== feature/message_json.hpp
// An id of 16 bytes.
#ifndef ALDIS_feature_OF_message_json_f1a1e0675ecb62f6
#define ALDIS_feature_OF_message_json_f1a1e0675ecb62f6

// [as in the base]
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"id":)", "id", aldis::json::write_as<as::quoted, decltype(value.id)>}};
    const void* const places[]{&value.id};
    return out.write_members(members, places);
// [as in the base]
    static constexpr aldis::json::read_member<P> members[]{
        {"id", "id", aldis::json::read_as<as::quoted, decltype(value.id)>, aldis::json::emptied<decltype(value.id)>}};
    const void* const places[]{&value.id};
    std::uint64_t seen[1]{};
// ==== feature/message_view.hpp
// An id of 16 bytes.
#ifndef ALDIS_feature_OF_message_view_f1a1e0675ecb62f6
#define ALDIS_feature_OF_message_view_f1a1e0675ecb62f6

// [as in the base]

    [[nodiscard]] aldis::uuid id() const noexcept {
        return place_.extent >= 24 ? in_place::uuid::get(place_ + 8) : aldis::uuid{};
    }
// ==== feature/message_writer.hpp
// An id of 16 bytes.
#ifndef ALDIS_feature_OF_message_writer_f1a1e0675ecb62f6
#define ALDIS_feature_OF_message_writer_f1a1e0675ecb62f6

// [as in the base]
    explicit Message(aldis::draft& draft, std::uint32_t depth = 1)
        : draft_(&draft), at_(draft.block({24, fill}, 0, depth)), depth_(depth) {}

    bool id(aldis::uuid value) {
        aldis::draft& out = *draft_;
        if (!out.measure(depth_)) {
            return false;
        }
        std::byte* const at = at_;
        std::memcpy(at + 8, value.octets.data(), 16);
        return true;
    }

// [as in the base]
    static void fill(std::byte* at) {
        std::memset(at, 0, 24);
        aldis::store<byte_order>(at, std::uint32_t{24});
        aldis::store<byte_order>(at + 4, std::uint32_t{1});
// [as in the base]
    std::byte* at_;
    std::uint32_t depth_;
};
// ==== feature_stream.hpp
// An id of 16 bytes.
#ifndef ALDIS_feature_stream_f1a1e0675ecb62f6
#define ALDIS_feature_stream_f1a1e0675ecb62f6

