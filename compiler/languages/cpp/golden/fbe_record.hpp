// ==== feature.hpp
// A record of the same kind, which may be null.
#ifndef ALDIS_feature_61b90e4225a8504c
#define ALDIS_feature_61b90e4225a8504c

// ==== feature_json.hpp
// A record of the same kind, which may be null.
#ifndef ALDIS_feature_json_61b90e4225a8504c
#define ALDIS_feature_json_61b90e4225a8504c

// ==== feature_view.hpp
// A record of the same kind, which may be null.
#ifndef ALDIS_feature_view_61b90e4225a8504c
#define ALDIS_feature_view_61b90e4225a8504c

// ==== feature_writer.hpp
// A record of the same kind, which may be null.
#ifndef ALDIS_feature_writer_61b90e4225a8504c
#define ALDIS_feature_writer_61b90e4225a8504c

// ==== feature/forms.hpp
// A record of the same kind, which may be null.
#ifndef ALDIS_feature_OF_forms_61b90e4225a8504c
#define ALDIS_feature_OF_forms_61b90e4225a8504c

#define ALDIS_DIGEST_OF_feature 0x61b90e4225a8504c

// [as in the base]
inline constexpr std::endian byte_order = aldis::little;
using reader = aldis::reader<byte_order, aldis::watched{.budget = true, .depth = true}>;

// ==== feature/forms_json.hpp
// A record of the same kind, which may be null.
#ifndef ALDIS_feature_OF_forms_json_61b90e4225a8504c
#define ALDIS_feature_OF_forms_json_61b90e4225a8504c

// ==== feature/forms_view.hpp
// A record of the same kind, which may be null.
#ifndef ALDIS_feature_OF_forms_view_61b90e4225a8504c
#define ALDIS_feature_OF_forms_view_61b90e4225a8504c

// ==== feature/forms_writer.hpp
// A record of the same kind, which may be null.
#ifndef ALDIS_feature_OF_forms_writer_61b90e4225a8504c
#define ALDIS_feature_OF_forms_writer_61b90e4225a8504c

// ==== feature/messages.hpp
// A record of the same kind, which may be null.
#ifndef ALDIS_feature_OF_messages_61b90e4225a8504c
#define ALDIS_feature_OF_messages_61b90e4225a8504c

// ==== feature/message.hpp
// A record of the same kind, which may be null.
#ifndef ALDIS_feature_OF_message_61b90e4225a8504c
#define ALDIS_feature_OF_message_61b90e4225a8504c

// [as in the base]
///        4       4  (type)
///        8       5  next, presence and an offset
///               13  (total, as this schema's writers write it)
struct Message {
    aldis::box<Message> next;

// [as in the base]

inline constexpr std::array<aldis::cut, 1> cuts_Message{{{8, 13, "next"}}};
inline constexpr aldis::sized_block<std::uint32_t, std::uint32_t, 1, 1> block_Message{.head = 8, .size = 13,
    .links = {{{13, 24}}}, .short_of = {{{13, 6}}}, .type = 1, .type_at = 4, .cuts = cuts_Message};
inline const std::byte* read_Message(auto& in, const std::byte* at, Message& value);
// [as in the base]
template <bool Whole>
[[nodiscard]] inline const std::byte* read_Message_block(
    auto& in,
    const std::byte* at,
// [as in the base]
    Message& value) {
    if (Whole || extent >= 13) {
        if (!reader::load<bool>(at + 8)) {
            value.next.reset();
        } else {
            auto& held = aldis::present(value.next);
            const std::byte* to = in.follow_some(at, reader::load<std::uint32_t>(at + 9), at + 9);
            if (to == nullptr) {
                return in.in_field("next");
            }
            const std::byte* const base2 = to;
            if (!in.need(to, 4, 24)) {
                return in.in_field("next");
            }
            const std::byte* to3 = in.follow_some(base2, reader::load<std::uint32_t>(to), to);
            if (to3 == nullptr) {
                return in.in_field("next");
            }
            to3 = read_Message(in, to3, held);
            if (to3 == nullptr) {
                return in.in_field("next");
            }
        }
    } else {
        value.next.reset();
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
    out.add(13);
    if (value.next.has_value()) {
        out.add(4);
        if (!size_Message(out, *value.next)) {
            return out.in_field("next");
        }
    }
    out.leave();
    return true;
// [as in the base]

inline std::byte* write_Message(std::byte* at, const Message& value, const std::byte* end) {
    std::byte* next = at + 13;
    aldis::store<byte_order>(at, std::uint32_t{13});
    aldis::store<byte_order>(at + 4, std::uint32_t{1});
    if (value.next.has_value()) {
        aldis::store<byte_order>(at + 8, true);
        aldis::store<byte_order>(at + 9, static_cast<std::uint32_t>(next - at));
        std::byte* const base2 = next;
        std::byte* const cell3 = next;
        next += 4;
        aldis::store<byte_order>(cell3, static_cast<std::uint32_t>(next - base2));
        next = write_Message(next, *value.next, end);
    } else {
        std::memset(at + 8, 0, 5);
    }
    return next;
}
// ==== feature/message_json.hpp
// A record of the same kind, which may be null.
#ifndef ALDIS_feature_OF_message_json_61b90e4225a8504c
#define ALDIS_feature_OF_message_json_61b90e4225a8504c

// [as in the base]
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"next":)", "next", aldis::json::write_as<as::optional<as::record>, decltype(value.next)>}};
    const void* const places[]{&value.next};
    return out.write_members(members, places);
// [as in the base]
    static constexpr aldis::json::read_member<P> members[]{
        {"next", "next", aldis::json::read_as<as::optional<as::record>, decltype(value.next)>,
            aldis::json::emptied<decltype(value.next)>}};
    const void* const places[]{&value.next};
    std::uint64_t seen[1]{};
// ==== feature/message_view.hpp
// A record of the same kind, which may be null.
#ifndef ALDIS_feature_OF_message_view_61b90e4225a8504c
#define ALDIS_feature_OF_message_view_61b90e4225a8504c

// [as in the base]

    [[nodiscard]] std::optional<view::Message> next() const noexcept {
        if (place_.extent < 13) {
            return std::nullopt;
        }
        return in_place::presence<in_place::rebased<in_place::link<in_place::record<view::Message>>>>::get(place_ + 8);
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
    if (extent >= 13) {
        if (reader::load<bool>(at + 8)) {
            const std::byte* to = in.follow_some(at, reader::load<std::uint32_t>(at + 9), at + 9);
            if (to == nullptr) {
                return in.in_field("next");
            }
            const std::byte* const base2 = to;
            if (!in.need(to, 4, 24)) {
                return in.in_field("next");
            }
            const std::byte* to3 = in.follow_some(base2, reader::load<std::uint32_t>(to), to);
            if (to3 == nullptr) {
                return in.in_field("next");
            }
            to3 = verify_Message(in, to3);
            if (to3 == nullptr) {
                return in.in_field("next");
            }
        }
    }
    at += extent;
// ==== feature/message_writer.hpp
// A record of the same kind, which may be null.
#ifndef ALDIS_feature_OF_message_writer_61b90e4225a8504c
#define ALDIS_feature_OF_message_writer_61b90e4225a8504c

// [as in the base]
    explicit Message(aldis::draft& draft, std::uint32_t depth = 1)
        : draft_(&draft), at_(draft.block({13, fill}, 0, depth)), depth_(depth) {}

    bool next(const aldis::box<::feature::Message>& value) {
        aldis::draft& out = *draft_;
        if (!out.measure(depth_)) {
            return false;
        }
        if (value.has_value()) {
            out.add(4);
            if (!size_Message(out, *value)) {
                return out.in_field("next");
            }
        }
        std::byte* next = out.append_measured();
        if (next == nullptr) {
            return out.refuse_field("next");
        }
        const std::byte* const end = out.end();
        std::byte* const at = at_;
        if (value.has_value()) {
            aldis::store<byte_order>(at + 8, true);
            aldis::store<byte_order>(at + 9, static_cast<std::uint32_t>(next - at));
            std::byte* const base2 = next;
            std::byte* const cell3 = next;
            next += 4;
            aldis::store<byte_order>(cell3, static_cast<std::uint32_t>(next - base2));
            next = write_Message(next, *value, end);
        } else {
            std::memset(at + 8, 0, 5);
        }
        return true;
    }
    [[nodiscard]] writer::Message next();

// [as in the base]
    static void fill(std::byte* at) {
        std::memset(at, 0, 13);
        aldis::store<byte_order>(at, std::uint32_t{13});
        aldis::store<byte_order>(at + 4, std::uint32_t{1});
// [as in the base]
    std::byte* at_;
    std::uint32_t depth_;
};

inline writer::Message Message::next() { return draft_->link_optional<writer::Message, byte_order>({at_, 8, depth_}); }

}  // namespace writer
// ==== feature_stream.hpp
// A record of the same kind, which may be null.
#ifndef ALDIS_feature_stream_61b90e4225a8504c
#define ALDIS_feature_stream_61b90e4225a8504c

