// ==== feature.hpp
// Numbers behind their count.
#ifndef ALDIS_feature_92cf370c2372b67f
#define ALDIS_feature_92cf370c2372b67f

// ==== feature_json.hpp
// Numbers behind their count.
#ifndef ALDIS_feature_json_92cf370c2372b67f
#define ALDIS_feature_json_92cf370c2372b67f

// ==== feature_view.hpp
// Numbers behind their count.
#ifndef ALDIS_feature_view_92cf370c2372b67f
#define ALDIS_feature_view_92cf370c2372b67f

// ==== feature_writer.hpp
// Numbers behind their count.
#ifndef ALDIS_feature_writer_92cf370c2372b67f
#define ALDIS_feature_writer_92cf370c2372b67f

// ==== feature/forms.hpp
// Numbers behind their count.
#ifndef ALDIS_feature_OF_forms_92cf370c2372b67f
#define ALDIS_feature_OF_forms_92cf370c2372b67f

#define ALDIS_DIGEST_OF_feature 0x92cf370c2372b67f

// [as in the base]
inline constexpr std::endian byte_order = aldis::little;
using reader = aldis::reader<byte_order, aldis::watched{.budget = true, .depth = false}>;

// ==== feature/forms_json.hpp
// Numbers behind their count.
#ifndef ALDIS_feature_OF_forms_json_92cf370c2372b67f
#define ALDIS_feature_OF_forms_json_92cf370c2372b67f

// ==== feature/forms_view.hpp
// Numbers behind their count.
#ifndef ALDIS_feature_OF_forms_view_92cf370c2372b67f
#define ALDIS_feature_OF_forms_view_92cf370c2372b67f

// ==== feature/forms_writer.hpp
// Numbers behind their count.
#ifndef ALDIS_feature_OF_forms_writer_92cf370c2372b67f
#define ALDIS_feature_OF_forms_writer_92cf370c2372b67f

// ==== feature/messages.hpp
// Numbers behind their count.
#ifndef ALDIS_feature_OF_messages_92cf370c2372b67f
#define ALDIS_feature_OF_messages_92cf370c2372b67f

// ==== feature/message.hpp
// Numbers behind their count.
#ifndef ALDIS_feature_OF_message_92cf370c2372b67f
#define ALDIS_feature_OF_message_92cf370c2372b67f

// [as in the base]

#include <vector>

namespace feature {
// [as in the base]
///        4       4  (type)
///        8       4  sizes, an offset
///               12  (total, as this schema's writers write it)
struct Message {
    std::vector<std::int32_t> sizes{};

// [as in the base]

inline constexpr std::array<aldis::cut, 1> cuts_Message{{{8, 12, "sizes"}}};
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
        if (const auto offset = reader::load<std::uint32_t>(at + 8); offset == 0) {
            value.sizes.clear();
        } else {
            const std::byte* to = in.follow(at, offset, at + 8);
            if (to == nullptr) {
                return in.in_field("sizes");
            }
            const std::byte* const head2 = to;
            if (!in.need_head(to, 4, {{0, 4, "count"}})) {
                return in.in_field("sizes");
            }
            const std::uint64_t count2 = reader::load<std::uint32_t>(to);
            to += 4;
            if (!in.fits(count2, 4, to, head2)) {
                return in.in_field("sizes");
            }
            if (!in.charge_each(count2, in.extra(4), to)) {
                return in.in_field("sizes");
            }
            if (!in.charge(count2 * 4, to)) {
                return in.in_field("sizes");
            }
            to = reader::take_row(to, count2, value.sizes);
        }
    } else {
        value.sizes.clear();
    }
    return at + extent;
// [as in the base]

inline bool size_Message(aldis::sizer& out, const Message& value) {
    out.add(16);
    out.add(4 * value.sizes.size());
    return true;
// [as in the base]
inline std::byte* write_Message(std::byte* at, const Message& value, [[maybe_unused]] const std::byte* end) {
    std::byte* next = at + 12;
    aldis::store<byte_order>(at, std::uint32_t{12});
    aldis::store<byte_order>(at + 4, std::uint32_t{1});
    aldis::store<byte_order>(at + 8, static_cast<std::uint32_t>(next - at));
    aldis::store<byte_order>(next, static_cast<std::uint32_t>(value.sizes.size()));
    next = aldis::store_rows<byte_order>(next + 4, value.sizes);
    return next;
}
// ==== feature/message_json.hpp
// Numbers behind their count.
#ifndef ALDIS_feature_OF_message_json_92cf370c2372b67f
#define ALDIS_feature_OF_message_json_92cf370c2372b67f

// [as in the base]
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"sizes":)", "sizes", aldis::json::write_as<as::list<as::integer>, decltype(value.sizes)>}};
    const void* const places[]{&value.sizes};
    return out.write_members(members, places);
// [as in the base]
    static constexpr aldis::json::read_member<P> members[]{
        {"sizes", "sizes", aldis::json::read_as<as::list<as::integer>, decltype(value.sizes)>,
            aldis::json::emptied<decltype(value.sizes)>}};
    const void* const places[]{&value.sizes};
    std::uint64_t seen[1]{};
// ==== feature/message_view.hpp
// Numbers behind their count.
#ifndef ALDIS_feature_OF_message_view_92cf370c2372b67f
#define ALDIS_feature_OF_message_view_92cf370c2372b67f

// [as in the base]

    /// A range of `std::int32_t`.
    [[nodiscard]] auto sizes() const noexcept {
        using kind = in_place::link_or_empty<in_place::list<std::uint32_t, in_place::number<std::int32_t>>>;
        return place_.extent >= 12 ? kind::get(place_ + 8) : kind::value_type{};
    }
// [as in the base]
    }
    if (extent >= 12) {
        if (const auto offset = reader::load<std::uint32_t>(at + 8); offset != 0) {
            const std::byte* to = in.follow(at, offset, at + 8);
            if (to == nullptr) {
                return in.in_field("sizes");
            }
            const std::byte* const head2 = to;
            if (!in.need_head(to, 4, {{0, 4, "count"}})) {
                return in.in_field("sizes");
            }
            const std::uint64_t count2 = reader::load<std::uint32_t>(to);
            to += 4;
            if (!in.fits(count2, 4, to, head2)) {
                return in.in_field("sizes");
            }
            if (!in.charge_each(count2, in.extra(4), to)) {
                return in.in_field("sizes");
            }
            if (!in.charge(count2 * 4, to)) {
                return in.in_field("sizes");
            }
        }
    }
    at += extent;
// ==== feature/message_writer.hpp
// Numbers behind their count.
#ifndef ALDIS_feature_OF_message_writer_92cf370c2372b67f
#define ALDIS_feature_OF_message_writer_92cf370c2372b67f

// [as in the base]
    explicit Message(aldis::draft& draft, std::uint32_t depth = 1)
        : draft_(&draft), at_(draft.block({12, fill}, 0, depth)), depth_(depth) {}

    bool sizes(std::span<const std::int32_t> value) {
        aldis::draft& out = *draft_;
        if (!out.measure(depth_)) {
            return false;
        }
        out.add(4);
        out.add(4 * value.size());
        std::byte* next = out.append_measured();
        if (next == nullptr) {
            return out.refuse_field("sizes");
        }
        std::byte* const at = at_;
        aldis::store<byte_order>(at + 8, static_cast<std::uint32_t>(next - at));
        aldis::store<byte_order>(next, static_cast<std::uint32_t>(value.size()));
        next = aldis::store_rows<byte_order>(next + 4, value);
        return true;
    }

// [as in the base]
    std::byte* at_;
    std::uint32_t depth_;
};
// ==== feature_stream.hpp
// Numbers behind their count.
#ifndef ALDIS_feature_stream_92cf370c2372b67f
#define ALDIS_feature_stream_92cf370c2372b67f

