// ==== feature.hpp
// A number that may be null, in place.
#ifndef ALDIS_feature_e500b9d6aa386796
#define ALDIS_feature_e500b9d6aa386796

// ==== feature_json.hpp
// A number that may be null, in place.
#ifndef ALDIS_feature_json_e500b9d6aa386796
#define ALDIS_feature_json_e500b9d6aa386796

// ==== feature_view.hpp
// A number that may be null, in place.
#ifndef ALDIS_feature_view_e500b9d6aa386796
#define ALDIS_feature_view_e500b9d6aa386796

// ==== feature_writer.hpp
// A number that may be null, in place.
#ifndef ALDIS_feature_writer_e500b9d6aa386796
#define ALDIS_feature_writer_e500b9d6aa386796

// ==== feature/forms.hpp
// A number that may be null, in place.
#ifndef ALDIS_feature_OF_forms_e500b9d6aa386796
#define ALDIS_feature_OF_forms_e500b9d6aa386796

#define ALDIS_DIGEST_OF_feature 0xe500b9d6aa386796

// [as in the base]
inline constexpr std::endian byte_order = aldis::little;
using reader = aldis::reader<byte_order, aldis::watched{.budget = true, .depth = false}>;

// ==== feature/forms_json.hpp
// A number that may be null, in place.
#ifndef ALDIS_feature_OF_forms_json_e500b9d6aa386796
#define ALDIS_feature_OF_forms_json_e500b9d6aa386796

// ==== feature/forms_view.hpp
// A number that may be null, in place.
#ifndef ALDIS_feature_OF_forms_view_e500b9d6aa386796
#define ALDIS_feature_OF_forms_view_e500b9d6aa386796

// ==== feature/forms_writer.hpp
// A number that may be null, in place.
#ifndef ALDIS_feature_OF_forms_writer_e500b9d6aa386796
#define ALDIS_feature_OF_forms_writer_e500b9d6aa386796

// ==== feature/messages.hpp
// A number that may be null, in place.
#ifndef ALDIS_feature_OF_messages_e500b9d6aa386796
#define ALDIS_feature_OF_messages_e500b9d6aa386796

// ==== feature/message.hpp
// A number that may be null, in place.
#ifndef ALDIS_feature_OF_message_e500b9d6aa386796
#define ALDIS_feature_OF_message_e500b9d6aa386796

// [as in the base]
///        4       4  (type)
///        8       5  size, presence and an offset
///               13  (total, as this schema's writers write it)
struct Message {
    std::optional<std::int32_t> size{};

// [as in the base]

inline constexpr std::array<aldis::cut, 1> cuts_Message{{{8, 13, "size"}}};
inline constexpr aldis::sized_block<std::uint32_t, std::uint32_t, 1, 1> block_Message{.head = 8, .size = 13,
    .links = {{{13, 24}}}, .short_of = {{{13, 5}}}, .type = 1, .type_at = 4, .cuts = cuts_Message};
inline const std::byte* read_Message(auto& in, const std::byte* at, Message& value);
// [as in the base]
[[nodiscard, gnu::always_inline]] inline const std::byte* read_Message_block(
    auto& in,
    const std::byte* at,
// [as in the base]
    Message& value) {
    if (Whole || extent >= 13) {
        if (!reader::load<bool>(at + 8)) {
            value.size.reset();
        } else {
            auto& held = aldis::present(value.size);
            const std::byte* to = in.follow_some(at, reader::load<std::uint32_t>(at + 9), at + 9);
            if (to == nullptr) {
                return in.in_field("size");
            }
            if (!in.need(to, 4, 0)) {
                return in.in_field("size");
            }
            held = reader::load<std::int32_t>(to);
        }
    } else {
        value.size.reset();
    }
    return at + extent;
// [as in the base]

inline bool size_Message(aldis::sizer& out, const Message& value) {
    out.add(13);
    if (value.size.has_value()) {
        out.add(4);
    }
    return true;
// [as in the base]
inline std::byte* write_Message(std::byte* at, const Message& value, [[maybe_unused]] const std::byte* end) {
    std::byte* next = at + 13;
    aldis::store<byte_order>(at, std::uint32_t{13});
    aldis::store<byte_order>(at + 4, std::uint32_t{1});
    if (value.size.has_value()) {
        aldis::store<byte_order>(at + 8, true);
        aldis::store<byte_order>(at + 9, static_cast<std::uint32_t>(next - at));
        std::byte* const cell3 = next;
        next += 4;
        aldis::store<byte_order>(cell3, (*value.size));
    } else {
        std::memset(at + 8, 0, 5);
    }
    return next;
}
// ==== feature/message_json.hpp
// A number that may be null, in place.
#ifndef ALDIS_feature_OF_message_json_e500b9d6aa386796
#define ALDIS_feature_OF_message_json_e500b9d6aa386796

// [as in the base]
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"size":)", "size", aldis::json::write_as<as::optional<as::integer>, decltype(value.size)>}};
    const void* const places[]{&value.size};
    return out.write_members(members, places);
// [as in the base]
    static constexpr aldis::json::read_member<P> members[]{
        {"size", "size", aldis::json::read_as<as::optional<as::integer>, decltype(value.size)>,
            aldis::json::emptied<decltype(value.size)>}};
    const void* const places[]{&value.size};
    std::uint64_t seen[1]{};
// ==== feature/message_view.hpp
// A number that may be null, in place.
#ifndef ALDIS_feature_OF_message_view_e500b9d6aa386796
#define ALDIS_feature_OF_message_view_e500b9d6aa386796

// [as in the base]

    [[nodiscard]] std::optional<std::int32_t> size() const noexcept {
        if (place_.extent < 13) {
            return std::nullopt;
        }
        return in_place::presence<in_place::rebased<in_place::number<std::int32_t>>>::get(place_ + 8);
    }
// [as in the base]
    }
    if (extent >= 13) {
        if (reader::load<bool>(at + 8)) {
            const std::byte* to = in.follow_some(at, reader::load<std::uint32_t>(at + 9), at + 9);
            if (to == nullptr) {
                return in.in_field("size");
            }
            if (!in.need(to, 4, 0)) {
                return in.in_field("size");
            }
        }
    }
    at += extent;
// ==== feature/message_writer.hpp
// A number that may be null, in place.
#ifndef ALDIS_feature_OF_message_writer_e500b9d6aa386796
#define ALDIS_feature_OF_message_writer_e500b9d6aa386796

// [as in the base]
    explicit Message(aldis::draft& draft, std::uint32_t depth = 1)
        : draft_(&draft), at_(draft.block({13, fill}, 0, depth)), depth_(depth) {}

    bool size(const std::optional<std::int32_t>& value) {
        aldis::draft& out = *draft_;
        if (!out.measure(depth_)) {
            return false;
        }
        if (value.has_value()) {
            out.add(4);
        }
        std::byte* next = out.append_measured();
        if (next == nullptr) {
            return out.refuse_field("size");
        }
        std::byte* const at = at_;
        if (value.has_value()) {
            aldis::store<byte_order>(at + 8, true);
            aldis::store<byte_order>(at + 9, static_cast<std::uint32_t>(next - at));
            std::byte* const cell3 = next;
            next += 4;
            aldis::store<byte_order>(cell3, (*value));
        } else {
            std::memset(at + 8, 0, 5);
        }
        return true;
    }

// [as in the base]
    static void fill(std::byte* at) {
        std::memset(at, 0, 13);
        aldis::store<byte_order>(at, std::uint32_t{13});
        aldis::store<byte_order>(at + 4, std::uint32_t{1});
// [as in the base]
    std::byte* at_;
    std::uint32_t depth_;
};
// ==== feature_stream.hpp
// A number that may be null, in place.
#ifndef ALDIS_feature_stream_e500b9d6aa386796
#define ALDIS_feature_stream_e500b9d6aa386796

