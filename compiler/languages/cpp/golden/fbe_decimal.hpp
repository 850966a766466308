// ==== feature.hpp
// A number of 16 bytes.
#ifndef ALDIS_feature_b4d06dfbd7508dcf
#define ALDIS_feature_b4d06dfbd7508dcf

// ==== feature_json.hpp
// A number of 16 bytes.
#ifndef ALDIS_feature_json_b4d06dfbd7508dcf
#define ALDIS_feature_json_b4d06dfbd7508dcf

// ==== feature_view.hpp
// A number of 16 bytes.
#ifndef ALDIS_feature_view_b4d06dfbd7508dcf
#define ALDIS_feature_view_b4d06dfbd7508dcf

// ==== feature_writer.hpp
// A number of 16 bytes.
#ifndef ALDIS_feature_writer_b4d06dfbd7508dcf
#define ALDIS_feature_writer_b4d06dfbd7508dcf

// ==== feature/forms.hpp
// A number of 16 bytes.
#ifndef ALDIS_feature_OF_forms_b4d06dfbd7508dcf
#define ALDIS_feature_OF_forms_b4d06dfbd7508dcf

#define ALDIS_DIGEST_OF_feature 0xb4d06dfbd7508dcf

// ==== feature/forms_json.hpp
// A number of 16 bytes.
#ifndef ALDIS_feature_OF_forms_json_b4d06dfbd7508dcf
#define ALDIS_feature_OF_forms_json_b4d06dfbd7508dcf

// ==== feature/forms_view.hpp
// A number of 16 bytes.
#ifndef ALDIS_feature_OF_forms_view_b4d06dfbd7508dcf
#define ALDIS_feature_OF_forms_view_b4d06dfbd7508dcf

// ==== feature/forms_writer.hpp
// A number of 16 bytes.
#ifndef ALDIS_feature_OF_forms_writer_b4d06dfbd7508dcf
#define ALDIS_feature_OF_forms_writer_b4d06dfbd7508dcf

// ==== feature/messages.hpp
// A number of 16 bytes.
#ifndef ALDIS_feature_OF_messages_b4d06dfbd7508dcf
#define ALDIS_feature_OF_messages_b4d06dfbd7508dcf

// ==== feature/message.hpp
// A number of 16 bytes.
#ifndef ALDIS_feature_OF_message_b4d06dfbd7508dcf
#define ALDIS_feature_OF_message_b4d06dfbd7508dcf

// [as in the base]
///        4       4  (type)
///        8      16  price
///               24  (total, as this schema's writers write it)
struct Message {
    aldis::decimal price{};

// [as in the base]

inline constexpr std::array<aldis::cut, 1> cuts_Message{{{8, 24, "price"}}};
inline constexpr aldis::sized_block<std::uint32_t, std::uint32_t, 0, 1> block_Message{.head = 8, .size = 24,
    .links = {}, .short_of = {{{24, 4}}}, .type = 1, .type_at = 4, .cuts = cuts_Message};
inline const std::byte* read_Message(auto& in, const std::byte* at, Message& value);
// [as in the base]
[[nodiscard, gnu::always_inline]] inline const std::byte* read_Message_block(
    auto& in,
    const std::byte* at,
// [as in the base]
    Message& value) {
    if (Whole || extent >= 24) {
        if (!aldis::load_decimal(at + 8, value.price)) {
            in.fail(aldis::code::bad_value, at + 8);
            return in.in_field("price");
        }
    } else {
        value.price = {};
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
    aldis::store_decimal(at + 8, value.price);
    return at + 24;
}
// ==== feature/message_json.hpp
// A number of 16 bytes.
#ifndef ALDIS_feature_OF_message_json_b4d06dfbd7508dcf
#define ALDIS_feature_OF_message_json_b4d06dfbd7508dcf

// [as in the base]
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"price":)", "price", aldis::json::write_as<as::quoted, decltype(value.price)>}};
    const void* const places[]{&value.price};
    return out.write_members(members, places);
// [as in the base]
    static constexpr aldis::json::read_member<P> members[]{
        {"price", "price", aldis::json::read_as<as::quoted, decltype(value.price)>,
            aldis::json::emptied<decltype(value.price)>}};
    const void* const places[]{&value.price};
    std::uint64_t seen[1]{};
// ==== feature/message_view.hpp
// A number of 16 bytes.
#ifndef ALDIS_feature_OF_message_view_b4d06dfbd7508dcf
#define ALDIS_feature_OF_message_view_b4d06dfbd7508dcf

// [as in the base]

    [[nodiscard]] aldis::decimal price() const noexcept {
        return place_.extent >= 24 ? in_place::decimal::get(place_ + 8) : aldis::decimal{};
    }
// [as in the base]
    }
    if (extent >= 24) {
        if (!aldis::is_decimal(at + 8)) {
            in.fail(aldis::code::bad_value, at + 8);
            return in.in_field("price");
        }
    }
    at += extent;
// ==== feature/message_writer.hpp
// A number of 16 bytes.
#ifndef ALDIS_feature_OF_message_writer_b4d06dfbd7508dcf
#define ALDIS_feature_OF_message_writer_b4d06dfbd7508dcf

// [as in the base]
    explicit Message(aldis::draft& draft, std::uint32_t depth = 1)
        : draft_(&draft), at_(draft.block({24, fill}, 0, depth)), depth_(depth) {}

    bool price(aldis::decimal value) {
        aldis::draft& out = *draft_;
        if (!out.measure(depth_)) {
            return false;
        }
        std::byte* const at = at_;
        aldis::store_decimal(at + 8, value);
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
// A number of 16 bytes.
#ifndef ALDIS_feature_stream_b4d06dfbd7508dcf
#define ALDIS_feature_stream_b4d06dfbd7508dcf

