// ==== feature.hpp
// Text behind an offset.
#ifndef ALDIS_feature_edc7287b6297f95e
#define ALDIS_feature_edc7287b6297f95e

// ==== feature_json.hpp
// Text behind an offset.
#ifndef ALDIS_feature_json_edc7287b6297f95e
#define ALDIS_feature_json_edc7287b6297f95e

// ==== feature_view.hpp
// Text behind an offset.
#ifndef ALDIS_feature_view_edc7287b6297f95e
#define ALDIS_feature_view_edc7287b6297f95e

// ==== feature_writer.hpp
// Text behind an offset.
#ifndef ALDIS_feature_writer_edc7287b6297f95e
#define ALDIS_feature_writer_edc7287b6297f95e

// ==== feature/forms.hpp
// Text behind an offset.
#ifndef ALDIS_feature_OF_forms_edc7287b6297f95e
#define ALDIS_feature_OF_forms_edc7287b6297f95e

#define ALDIS_DIGEST_OF_feature 0xedc7287b6297f95e

// [as in the base]
inline constexpr std::endian byte_order = aldis::little;
using reader = aldis::reader<byte_order, aldis::watched{.budget = true, .depth = false}>;

// ==== feature/forms_json.hpp
// Text behind an offset.
#ifndef ALDIS_feature_OF_forms_json_edc7287b6297f95e
#define ALDIS_feature_OF_forms_json_edc7287b6297f95e

// ==== feature/forms_view.hpp
// Text behind an offset.
#ifndef ALDIS_feature_OF_forms_view_edc7287b6297f95e
#define ALDIS_feature_OF_forms_view_edc7287b6297f95e

// ==== feature/forms_writer.hpp
// Text behind an offset.
#ifndef ALDIS_feature_OF_forms_writer_edc7287b6297f95e
#define ALDIS_feature_OF_forms_writer_edc7287b6297f95e

// ==== feature/messages.hpp
// Text behind an offset.
#ifndef ALDIS_feature_OF_messages_edc7287b6297f95e
#define ALDIS_feature_OF_messages_edc7287b6297f95e

// ==== feature/message.hpp
// Text behind an offset.
#ifndef ALDIS_feature_OF_message_edc7287b6297f95e
#define ALDIS_feature_OF_message_edc7287b6297f95e

// [as in the base]

#include <string>

namespace feature {
// [as in the base]
///        4       4  (type)
///        8       4  name, an offset
///               12  (total, as this schema's writers write it)
struct Message {
    std::string name{};

// [as in the base]

inline constexpr std::array<aldis::cut, 1> cuts_Message{{{8, 12, "name"}}};
inline constexpr aldis::sized_block<std::uint32_t, std::uint32_t, 1, 1> block_Message{.head = 8, .size = 12,
    .links = {{{12, 24}}}, .short_of = {{{12, 4}}}, .type = 1, .type_at = 4, .cuts = cuts_Message};
inline const std::byte* read_Message(auto& in, const std::byte* at, Message& value);
// [as in the base]
[[nodiscard, gnu::always_inline]] inline const std::byte* read_Message_block(
    auto& in,
    const std::byte* at,
// [as in the base]
    Message& value) {
    if (Whole || extent >= 12) {
        if (!aldis::take_linked<std::uint32_t>(in, at, at + 8, value.name, "count")) {
            return in.in_field("name");
        }
    } else {
        value.name.clear();
    }
    return at + extent;
// [as in the base]

inline bool size_Message(aldis::sizer& out, const Message& value) {
    out.add(16);
    out.add(value.name.size());
    return true;
// [as in the base]

inline std::byte* write_Message(std::byte* at, const Message& value, const std::byte* end) {
    std::byte* next = at + 12;
    aldis::store<byte_order>(at, std::uint32_t{12});
    aldis::store<byte_order>(at + 4, std::uint32_t{1});
    aldis::store<byte_order>(at + 8, static_cast<std::uint32_t>(next - at));
    aldis::store<byte_order>(next, static_cast<std::uint32_t>(value.name.size()));
    next = aldis::store_bytes(next + 4, value.name, end);
    return next;
}
// ==== feature/message_json.hpp
// Text behind an offset.
#ifndef ALDIS_feature_OF_message_json_edc7287b6297f95e
#define ALDIS_feature_OF_message_json_edc7287b6297f95e

// [as in the base]
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"name":)", "name", aldis::json::write_as<as::text, decltype(value.name)>}};
    const void* const places[]{&value.name};
    return out.write_members(members, places);
// [as in the base]
    static constexpr aldis::json::read_member<P> members[]{
        {"name", "name", aldis::json::read_as<as::text, decltype(value.name)>,
            aldis::json::emptied<decltype(value.name)>}};
    const void* const places[]{&value.name};
    std::uint64_t seen[1]{};
// ==== feature/message_view.hpp
// Text behind an offset.
#ifndef ALDIS_feature_OF_message_view_edc7287b6297f95e
#define ALDIS_feature_OF_message_view_edc7287b6297f95e

// [as in the base]

    [[nodiscard]] std::string_view name() const noexcept {
        return place_.extent >= 12 ? in_place::link_or_empty<in_place::text<std::uint32_t>>::get(place_ + 8)
            : std::string_view{};
    }
// [as in the base]
    }
    if (extent >= 12) {
        if (!aldis::pass_linked<std::uint32_t>(in, at, at + 8, "count")) {
            return in.in_field("name");
        }
    }
    at += extent;
// ==== feature/message_writer.hpp
// Text behind an offset.
#ifndef ALDIS_feature_OF_message_writer_edc7287b6297f95e
#define ALDIS_feature_OF_message_writer_edc7287b6297f95e

// [as in the base]
    explicit Message(aldis::draft& draft, std::uint32_t depth = 1)
        : draft_(&draft), at_(draft.block({12, fill}, 0, depth)), depth_(depth) {}

    bool name(std::string_view value) {
        return draft_->link_bytes<byte_order, std::uint32_t>({at_, 8, depth_}, value, "name");
    }

// [as in the base]
    std::byte* at_;
    std::uint32_t depth_;
};
// ==== feature_stream.hpp
// Text behind an offset.
#ifndef ALDIS_feature_stream_edc7287b6297f95e
#define ALDIS_feature_stream_edc7287b6297f95e

