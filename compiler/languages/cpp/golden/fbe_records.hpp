// ==== feature.hpp
// Records behind their count.
#ifndef ALDIS_feature_e328b312ebd776da
#define ALDIS_feature_e328b312ebd776da

// ==== feature_json.hpp
// Records behind their count.
#ifndef ALDIS_feature_json_e328b312ebd776da
#define ALDIS_feature_json_e328b312ebd776da

// ==== feature_view.hpp
// Records behind their count.
#ifndef ALDIS_feature_view_e328b312ebd776da
#define ALDIS_feature_view_e328b312ebd776da

// ==== feature_writer.hpp
// Records behind their count.
#ifndef ALDIS_feature_writer_e328b312ebd776da
#define ALDIS_feature_writer_e328b312ebd776da

// ==== feature/forms.hpp
// Records behind their count.
#ifndef ALDIS_feature_OF_forms_e328b312ebd776da
#define ALDIS_feature_OF_forms_e328b312ebd776da

#define ALDIS_DIGEST_OF_feature 0xe328b312ebd776da

// [as in the base]
inline constexpr std::endian byte_order = aldis::little;
using reader = aldis::reader<byte_order, aldis::watched{.budget = true, .depth = true}>;

// ==== feature/forms_json.hpp
// Records behind their count.
#ifndef ALDIS_feature_OF_forms_json_e328b312ebd776da
#define ALDIS_feature_OF_forms_json_e328b312ebd776da

// ==== feature/forms_view.hpp
// Records behind their count.
#ifndef ALDIS_feature_OF_forms_view_e328b312ebd776da
#define ALDIS_feature_OF_forms_view_e328b312ebd776da

// ==== feature/forms_writer.hpp
// Records behind their count.
#ifndef ALDIS_feature_OF_forms_writer_e328b312ebd776da
#define ALDIS_feature_OF_forms_writer_e328b312ebd776da

// ==== feature/messages.hpp
// Records behind their count.
#ifndef ALDIS_feature_OF_messages_e328b312ebd776da
#define ALDIS_feature_OF_messages_e328b312ebd776da

// ==== feature/message.hpp
// Records behind their count.
#ifndef ALDIS_feature_OF_message_e328b312ebd776da
#define ALDIS_feature_OF_message_e328b312ebd776da

// [as in the base]

#include <vector>

namespace feature {
// [as in the base]
///        4       4  (type)
///        8       4  parts, an offset
///               12  (total, as this schema's writers write it)
struct Message {
    std::vector<Message> parts;

// [as in the base]

inline constexpr std::array<aldis::cut, 1> cuts_Message{{{8, 12, "parts"}}};
inline constexpr aldis::sized_block<std::uint32_t, std::uint32_t, 1, 1> block_Message{.head = 8, .size = 12,
    .links = {{{12, 24}}}, .short_of = {{{12, 4}}}, .type = 1, .type_at = 4, .cuts = cuts_Message};
inline const std::byte* read_Message(auto& in, const std::byte* at, Message& value);
// [as in the base]
template <bool Whole>
[[nodiscard]] inline const std::byte* read_Message_block(
    auto& in,
    const std::byte* at,
// [as in the base]
    Message& value) {
    if (Whole || extent >= 12) {
        if (const auto offset = reader::load<std::uint32_t>(at + 8); offset == 0) {
            value.parts.clear();
        } else {
            const std::byte* to = in.follow(at, offset, at + 8);
            if (to == nullptr) {
                return in.in_field("parts");
            }
            const std::byte* const head2 = to;
            if (!in.need_head(to, 4, {{0, 4, "count"}})) {
                return in.in_field("parts");
            }
            const std::uint64_t count2 = reader::load<std::uint32_t>(to);
            to += 4;
            if (!in.fits(count2, 4, to, head2)) {
                return in.in_field("parts");
            }
            aldis::pledge room3 = in.pledge_room(value.parts, count2, to);
            for (std::size_t index3 = 0; index3 < count2; ++index3) {
                room3.redeem();
                auto& item3 = aldis::element(value.parts, index3);
                if (!in.charge(4 + in.extra(24), to)) {
                    in.in_element(index3);
                    return in.in_field("parts");
                }
                const std::byte* to4 = in.follow_some(at, reader::load<std::uint32_t>(to), to);
                if (to4 == nullptr) {
                    in.in_element(index3);
                    return in.in_field("parts");
                }
                to4 = read_Message(in, to4, item3);
                if (to4 == nullptr) {
                    in.in_element(index3);
                    return in.in_field("parts");
                }
                to += 4;
            }
            aldis::fit(value.parts, count2);
        }
    } else {
        value.parts.clear();
    }
    return at + extent;
// [as in the base]

[[nodiscard]] inline const std::byte* read_Message(auto& in, const std::byte* at, Message& value) {
    const std::uint64_t extent = aldis::open_whole<block_Message>(in, at);
// [as in the base]

inline bool size_Message(aldis::sizer& out, const Message& value) {
    if (!out.enter()) {
        return false;
    }
    out.add(16);
    out.add(4 * value.parts.size());
    for (std::size_t index2 = 0; const auto& item2 : value.parts) {
        if (!size_Message(out, item2)) {
            out.in_element(index2);
            return out.in_field("parts");
        }
        ++index2;
    }
    out.leave();
    return true;
// [as in the base]

inline std::byte* write_Message(std::byte* at, const Message& value, const std::byte* end) {
    std::byte* next = at + 12;
    aldis::store<byte_order>(at, std::uint32_t{12});
    aldis::store<byte_order>(at + 4, std::uint32_t{1});
    {
        aldis::store<byte_order>(at + 8, static_cast<std::uint32_t>(next - at));
        aldis::store<byte_order>(next, static_cast<std::uint32_t>(value.parts.size()));
        std::byte* entry2 = next + 4;
        next = entry2 + 4 * value.parts.size();
        for (const auto& item2 : value.parts) {
            aldis::store<byte_order>(entry2, static_cast<std::uint32_t>(next - at));
            next = write_Message(next, item2, end);
            entry2 += 4;
        }
    }
    return next;
}
// ==== feature/message_json.hpp
// Records behind their count.
#ifndef ALDIS_feature_OF_message_json_e328b312ebd776da
#define ALDIS_feature_OF_message_json_e328b312ebd776da

// [as in the base]
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"parts":)", "parts", aldis::json::write_as<as::list<as::record>, decltype(value.parts)>}};
    const void* const places[]{&value.parts};
    return out.write_members(members, places);
// [as in the base]
    static constexpr aldis::json::read_member<P> members[]{
        {"parts", "parts", aldis::json::read_as<as::list<as::record>, decltype(value.parts)>,
            aldis::json::emptied<decltype(value.parts)>}};
    const void* const places[]{&value.parts};
    std::uint64_t seen[1]{};
// ==== feature/message_view.hpp
// Records behind their count.
#ifndef ALDIS_feature_OF_message_view_e328b312ebd776da
#define ALDIS_feature_OF_message_view_e328b312ebd776da

// [as in the base]

    /// A range of `view::Message`.
    [[nodiscard]] auto parts() const noexcept {
        using kind = in_place::link_or_empty<in_place::list<std::uint32_t,
            in_place::link<in_place::record<view::Message>>>>;
        return place_.extent >= 12 ? kind::get(place_ + 8) : kind::value_type{};
    }
// [as in the base]

[[nodiscard]] inline const std::byte* verify_Message(auto& in, const std::byte* at) {
    if (!in.enter(at)) {
// [as in the base]
    }
    if (!in.affords()) {
        return nullptr;
    }
    const std::uint64_t extent = aldis::open_block<block_Message>(in, at);
// [as in the base]
    }
    if (extent >= 12) {
        if (const auto offset = reader::load<std::uint32_t>(at + 8); offset != 0) {
            const std::byte* to = in.follow(at, offset, at + 8);
            if (to == nullptr) {
                return in.in_field("parts");
            }
            const std::byte* const head2 = to;
            if (!in.need_head(to, 4, {{0, 4, "count"}})) {
                return in.in_field("parts");
            }
            const std::uint64_t count2 = reader::load<std::uint32_t>(to);
            to += 4;
            if (!in.fits(count2, 4, to, head2)) {
                return in.in_field("parts");
            }
            for (std::size_t index3 = 0; index3 < count2; ++index3) {
                if (!in.charge(4 + in.extra(24), to)) {
                    in.in_element(index3);
                    return in.in_field("parts");
                }
                const std::byte* to4 = in.follow_some(at, reader::load<std::uint32_t>(to), to);
                if (to4 == nullptr) {
                    in.in_element(index3);
                    return in.in_field("parts");
                }
                to4 = verify_Message(in, to4);
                if (to4 == nullptr) {
                    in.in_element(index3);
                    return in.in_field("parts");
                }
                to += 4;
            }
        }
    }
    at += extent;
// ==== feature/message_writer.hpp
// Records behind their count.
#ifndef ALDIS_feature_OF_message_writer_e328b312ebd776da
#define ALDIS_feature_OF_message_writer_e328b312ebd776da

// [as in the base]
    explicit Message(aldis::draft& draft, std::uint32_t depth = 1)
        : draft_(&draft), at_(draft.block({12, fill}, 0, depth)), depth_(depth) {}

    bool parts(const std::vector<::feature::Message>& value) {
        aldis::draft& out = *draft_;
        if (!out.measure(depth_)) {
            return false;
        }
        out.add(4);
        out.add(4 * value.size());
        for (std::size_t index2 = 0; const auto& item2 : value) {
            if (!size_Message(out, item2)) {
                out.in_element(index2);
                return out.in_field("parts");
            }
            ++index2;
        }
        std::byte* next = out.append_measured();
        if (next == nullptr) {
            return out.refuse_field("parts");
        }
        const std::byte* const end = out.end();
        std::byte* const at = at_;
        {
            aldis::store<byte_order>(at + 8, static_cast<std::uint32_t>(next - at));
            aldis::store<byte_order>(next, static_cast<std::uint32_t>(value.size()));
            std::byte* entry2 = next + 4;
            next = entry2 + 4 * value.size();
            for (const auto& item2 : value) {
                aldis::store<byte_order>(entry2, static_cast<std::uint32_t>(next - at));
                next = write_Message(next, item2, end);
                entry2 += 4;
            }
        }
        return true;
    }
    [[nodiscard]] aldis::linked_draft<writer::Message, byte_order> parts(std::size_t count);

// [as in the base]
    std::byte* at_;
    std::uint32_t depth_;
};

inline aldis::linked_draft<writer::Message, byte_order> Message::parts(std::size_t count) {
    const auto head = [count](std::byte* at) { aldis::store<byte_order>(at, static_cast<std::uint32_t>(count)); };
    return draft_->link_list<writer::Message, byte_order>({at_, 8, depth_}, count, "parts", {.size = 4}, head);
}

}  // namespace writer
// ==== feature_stream.hpp
// Records behind their count.
#ifndef ALDIS_feature_stream_e328b312ebd776da
#define ALDIS_feature_stream_e328b312ebd776da

