// ==== feature.hpp
// A fixed number of texts.
#ifndef ALDIS_feature_c0440cb183088859
#define ALDIS_feature_c0440cb183088859

// ==== feature_json.hpp
// A fixed number of texts.
#ifndef ALDIS_feature_json_c0440cb183088859
#define ALDIS_feature_json_c0440cb183088859

// ==== feature_view.hpp
// A fixed number of texts.
#ifndef ALDIS_feature_view_c0440cb183088859
#define ALDIS_feature_view_c0440cb183088859

// ==== feature_writer.hpp
// A fixed number of texts.
#ifndef ALDIS_feature_writer_c0440cb183088859
#define ALDIS_feature_writer_c0440cb183088859

// ==== feature/forms.hpp
// A fixed number of texts.
#ifndef ALDIS_feature_OF_forms_c0440cb183088859
#define ALDIS_feature_OF_forms_c0440cb183088859

#define ALDIS_DIGEST_OF_feature 0xc0440cb183088859

// [as in the base]
inline constexpr std::endian byte_order = aldis::little;
using reader = aldis::reader<byte_order, aldis::watched{.budget = true, .depth = false}>;

// ==== feature/forms_json.hpp
// A fixed number of texts.
#ifndef ALDIS_feature_OF_forms_json_c0440cb183088859
#define ALDIS_feature_OF_forms_json_c0440cb183088859

// ==== feature/forms_view.hpp
// A fixed number of texts.
#ifndef ALDIS_feature_OF_forms_view_c0440cb183088859
#define ALDIS_feature_OF_forms_view_c0440cb183088859

// ==== feature/forms_writer.hpp
// A fixed number of texts.
#ifndef ALDIS_feature_OF_forms_writer_c0440cb183088859
#define ALDIS_feature_OF_forms_writer_c0440cb183088859

// ==== feature/messages.hpp
// A fixed number of texts.
#ifndef ALDIS_feature_OF_messages_c0440cb183088859
#define ALDIS_feature_OF_messages_c0440cb183088859

// ==== feature/message.hpp
// A fixed number of texts.
#ifndef ALDIS_feature_OF_message_c0440cb183088859
#define ALDIS_feature_OF_message_c0440cb183088859

// [as in the base]

#include <string>

namespace feature {
// [as in the base]
///        4       4  (type)
///        8       8  names
///               16  (total, as this schema's writers write it)
struct Message {
    std::array<std::string, 2> names{};

// [as in the base]

inline constexpr std::array<aldis::cut, 1> cuts_Message{{{8, 16, "names"}}};
inline constexpr aldis::sized_block<std::uint32_t, std::uint32_t, 1, 1> block_Message{.head = 8, .size = 16,
    .links = {{{16, 48}}}, .short_of = {{{16, 8}}}, .type = 1, .type_at = 4, .cuts = cuts_Message};
inline const std::byte* read_Message(auto& in, const std::byte* at, Message& value);
// [as in the base]
[[nodiscard, gnu::always_inline]] inline const std::byte* read_Message_block(
    auto& in,
    const std::byte* at,
// [as in the base]
    Message& value) {
    if (Whole || extent >= 16) {
        for (std::size_t index2 = 0; index2 < 2; ++index2) {
            const std::byte* const place2 = at + 8 + index2 * 4;
            auto& item2 = value.names[index2];
            if (!aldis::take_linked<std::uint32_t>(in, at, place2, item2, "count")) {
                in.in_element(index2);
                return in.in_field("names");
            }
        }
    } else {
        value.names = {};
    }
    return at + extent;
// [as in the base]

inline bool size_Message(aldis::sizer& out, const Message& value) {
    out.add(16);
    for (const auto& item : value.names) {
        out.add(4);
        out.add(item.size());
    }
    return true;
// [as in the base]

inline std::byte* write_Message(std::byte* at, const Message& value, const std::byte* end) {
    std::byte* next = at + 16;
    aldis::store<byte_order>(at, std::uint32_t{16});
    aldis::store<byte_order>(at + 4, std::uint32_t{1});
    for (std::size_t index = 0; index < 2; ++index) {
        std::byte* const place = at + 8 + index * 4;
        aldis::store<byte_order>(place, static_cast<std::uint32_t>(next - at));
        aldis::store<byte_order>(next, static_cast<std::uint32_t>(value.names[index].size()));
        next = aldis::store_bytes(next + 4, value.names[index], end);
    }
    return next;
}
// ==== feature/message_json.hpp
// A fixed number of texts.
#ifndef ALDIS_feature_OF_message_json_c0440cb183088859
#define ALDIS_feature_OF_message_json_c0440cb183088859

// [as in the base]
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"names":)", "names", aldis::json::write_as<as::array<as::text>, decltype(value.names)>}};
    const void* const places[]{&value.names};
    return out.write_members(members, places);
// [as in the base]
    static constexpr aldis::json::read_member<P> members[]{
        {"names", "names", aldis::json::read_as<as::array<as::text>, decltype(value.names)>,
            aldis::json::emptied<decltype(value.names)>}};
    const void* const places[]{&value.names};
    std::uint64_t seen[1]{};
// ==== feature/message_view.hpp
// A fixed number of texts.
#ifndef ALDIS_feature_OF_message_view_c0440cb183088859
#define ALDIS_feature_OF_message_view_c0440cb183088859

// [as in the base]

    /// A range of `std::string_view`.
    [[nodiscard]] auto names() const noexcept {
        using kind = in_place::array<2, 4, in_place::link_or_empty<in_place::text<std::uint32_t>>>;
        return place_.extent >= 16 ? kind::get(place_ + 8) : kind::value_type({}, 2);
    }
// [as in the base]
    }
    if (extent >= 16) {
        for (std::size_t index2 = 0; index2 < 2; ++index2) {
            const std::byte* const place2 = at + 8 + index2 * 4;
            if (!in.affords()) {
                in.in_element(index2);
                return in.in_field("names");
            }
            if (!aldis::pass_linked<std::uint32_t>(in, at, place2, "count")) {
                in.in_element(index2);
                return in.in_field("names");
            }
        }
    }
    at += extent;
// ==== feature/message_writer.hpp
// A fixed number of texts.
#ifndef ALDIS_feature_OF_message_writer_c0440cb183088859
#define ALDIS_feature_OF_message_writer_c0440cb183088859

// [as in the base]
    explicit Message(aldis::draft& draft, std::uint32_t depth = 1)
        : draft_(&draft), at_(draft.block({16, fill}, 0, depth)), depth_(depth) {}

    bool names(const std::array<std::string, 2>& value) {
        aldis::draft& out = *draft_;
        if (!out.measure(depth_)) {
            return false;
        }
        for (const auto& item : value) {
            out.add(4);
            out.add(item.size());
        }
        std::byte* next = out.append_measured();
        if (next == nullptr) {
            return out.refuse_field("names");
        }
        const std::byte* const end = out.end();
        std::byte* const at = at_;
        for (std::size_t index = 0; index < 2; ++index) {
            std::byte* const place = at + 8 + index * 4;
            aldis::store<byte_order>(place, static_cast<std::uint32_t>(next - at));
            aldis::store<byte_order>(next, static_cast<std::uint32_t>(value[index].size()));
            next = aldis::store_bytes(next + 4, value[index], end);
        }
        return true;
    }

// [as in the base]
    static void fill(std::byte* at) {
        std::memset(at, 0, 16);
        aldis::store<byte_order>(at, std::uint32_t{16});
        aldis::store<byte_order>(at + 4, std::uint32_t{1});
// [as in the base]
    std::byte* at_;
    std::uint32_t depth_;
};
// ==== feature_stream.hpp
// A fixed number of texts.
#ifndef ALDIS_feature_stream_c0440cb183088859
#define ALDIS_feature_stream_c0440cb183088859

