// ==== feature.hpp
#ifndef ALDIS_feature_3d20df312a904eab
#define ALDIS_feature_3d20df312a904eab

// ==== feature_json.hpp
#ifndef ALDIS_feature_json_3d20df312a904eab
#define ALDIS_feature_json_3d20df312a904eab

// ==== feature_view.hpp
#ifndef ALDIS_feature_view_3d20df312a904eab
#define ALDIS_feature_view_3d20df312a904eab

// ==== feature_writer.hpp
#ifndef ALDIS_feature_writer_3d20df312a904eab
#define ALDIS_feature_writer_3d20df312a904eab

// ==== feature/forms.hpp
#ifndef ALDIS_feature_OF_forms_3d20df312a904eab
#define ALDIS_feature_OF_forms_3d20df312a904eab

// [as in the base]
inline constexpr std::endian byte_order = aldis::little;
using reader = aldis::reader<byte_order, aldis::watched{.budget = true, .depth = false}>;

// ==== feature/forms_json.hpp
#ifndef ALDIS_feature_OF_forms_json_3d20df312a904eab
#define ALDIS_feature_OF_forms_json_3d20df312a904eab

// ==== feature/forms_view.hpp
#ifndef ALDIS_feature_OF_forms_view_3d20df312a904eab
#define ALDIS_feature_OF_forms_view_3d20df312a904eab

// ==== feature/forms_writer.hpp
#ifndef ALDIS_feature_OF_forms_writer_3d20df312a904eab
#define ALDIS_feature_OF_forms_writer_3d20df312a904eab

// ==== feature/messages.hpp
#ifndef ALDIS_feature_OF_messages_3d20df312a904eab
#define ALDIS_feature_OF_messages_3d20df312a904eab

// ==== feature/message.hpp
#ifndef ALDIS_feature_OF_message_3d20df312a904eab
#define ALDIS_feature_OF_message_3d20df312a904eab

// [as in the base]

#include <vector>

namespace feature {
// [as in the base]
struct Message;
struct Message_items;

// [as in the base]
///   offset    size  field
///                0  (total, as this schema's writers write it)
///    after  varies  items
struct Message {
    std::vector<Message_items> items;

    bool operator==(const Message&) const = default;
};

/// `feature.Message.items`
///
/// Layout in sbe:
///   offset    size  field
///        0       1  n
///                1  (total, as this schema's writers write it)
struct Message_items {
    std::uint8_t n = 0;
    /// Fields by their place in this record, as `missing_fields` has them.
    struct field_places {
        static constexpr std::size_t n = 0;
    };
// [as in the base]

    bool operator==(const Message_items&) const = default;
};
// [as in the base]

inline constexpr aldis::told_block<0, 0> lacks_Message{
    {{}, {}}, 0};
inline const std::byte* read_Message(auto& in, const std::byte* at, std::uint64_t extent, Message& value);
inline constexpr aldis::told_block<1, 0> lacks_Message_items{
    {{{{1, 4}}}, {}}, aldis::in_all_versions};
inline constexpr std::array<aldis::cut, 1> cuts_Message_items{{{0, 1, "n"}}};
inline const std::byte* read_Message_items(auto& in, const std::byte* at, std::uint64_t extent, Message_items& value);
template <bool Whole>
inline const std::byte* read_Message_items_block(auto& in, const std::byte* at, std::uint64_t extent,
    Message_items& value);
inline bool size_Message(aldis::sizer& out, const Message& value);
inline std::byte* write_Message(std::byte* at, const Message& value, const std::byte* end);
inline bool size_Message_items(aldis::sizer& out, const Message_items& value);
inline std::byte* write_Message_items(std::byte* at, const Message_items& value, const std::byte* end);

// [as in the base]
    std::uint64_t extent,
    [[maybe_unused]] Message& value) {
    return at + extent;
}

[[nodiscard, gnu::always_inline]] inline const std::byte* read_Message(
    auto& in,
    const std::byte* at,
    std::uint64_t extent,
    Message& value) {
    if (!in.enter(at)) {
        return nullptr;
    }
    if (!in.need_run(at, extent, {})) {
        return nullptr;
    }
    if (!in.pay(extent, at)) {
        return nullptr;
    }
    at = read_Message_block<true>(in, at, extent, value);
    if (at == nullptr) {
        return nullptr;
    }
    // items
    {
        const std::byte* const head = at;
        if (!in.need_head(at, 4, {{0, 2, "blockLength"}, {2, 4, "numInGroup"}})) {
            return in.in_field("items");
        }
        const std::uint64_t size = reader::load<std::uint16_t>(at);
        const std::uint64_t count = reader::load<std::uint16_t>(at + 2);
        at += 4;
        if (!in.fits(count, size, at, head)) {
            return in.in_field("items");
        }
        if (size >= 1 && in.pays_for(count, size)) {
            for (auto& item2 : aldis::resized(value.items, count)) {
                item2.missing_fields.clear();
                at = read_Message_items_block<true>(in, at, size, item2);
            }
        } else {
            if (!in.template pay_short<lacks_Message_items>(count, size, at)) {
                return in.in_field("items");
            }
            in.make_room(value.items, count, at);
            for (std::size_t index2 = 0; index2 < count; ++index2) {
                auto& item2 = aldis::element(value.items, index2);
                at = read_Message_items(in, at, size, item2);
                if (at == nullptr) {
                    in.in_element(index2);
                    return in.in_field("items");
                }
            }
            aldis::fit(value.items, count);
        }
    }
    in.leave();
    return at;
}

inline bool size_Message(aldis::sizer& out, const Message& value) {
    out.add(4);
    if (!out.within(value.items.size(), 0, 65534)) {
        return out.in_field("items");
    }
    for (std::size_t index = 0; const auto& item : value.items) {
        if (!size_Message_items(out, item)) {
            out.in_element(index);
            return out.in_field("items");
        }
        ++index;
    }
    return true;
}

inline std::byte* write_Message(std::byte* at, const Message& value, const std::byte* end) {
    std::byte* next = at;
    // items
    aldis::store<byte_order>(next, std::uint16_t{1});
    aldis::store<byte_order>(next + 2, static_cast<std::uint16_t>(value.items.size()));
    next += 4;
    for (const auto& item : value.items) {
        next = write_Message_items(next, item, end);
    }
    return next;
}

// ---- feature.Message.items

template <bool Whole>
[[nodiscard, gnu::always_inline]] inline const std::byte* read_Message_items_block(
    [[maybe_unused]] auto& in,
    const std::byte* at,
    std::uint64_t extent,
    Message_items& value) {
    if (Whole || extent >= 1) {
        value.n = reader::load<std::uint8_t>(at);
    } else {
        value.n = 0;
        value.missing_fields.add(0);
// [as in the base]

[[nodiscard, gnu::always_inline]] inline const std::byte* read_Message_items(
    auto& in,
// [as in the base]
    std::uint64_t extent,
    Message_items& value) {
    if (!in.enter(at)) {
// [as in the base]
    value.missing_fields.clear();
    if (!in.need_run(at, extent, cuts_Message_items)) {
        return nullptr;
// [as in the base]
    }
    const bool whole = extent >= 1;
    at = !aldis::explains<decltype(in)> && whole
        ? read_Message_items_block<!aldis::explains<decltype(in)>>(in, at, extent, value)
        : read_Message_items_block<false>(in, at, extent, value);
    if (at == nullptr) {
// [as in the base]

inline bool size_Message_items(aldis::sizer& out, const Message_items& value) {
    out.add(1);
    if (value.missing_fields.any()) {
        static constexpr std::string_view names[] = {"n"};
        return out.refuse(names[value.missing_fields.first()]);
// [as in the base]

inline std::byte* write_Message_items(
    std::byte* at,
    const Message_items& value,
    [[maybe_unused]] const std::byte* end) {
    aldis::store<byte_order>(at, value.n);
    return at + 1;
}
// [as in the base]
    static void write(std::byte* at, const Message& value, std::uint64_t total) {
        aldis::store<byte_order>(at, std::uint16_t{0});
        aldis::store<byte_order>(at + 2, std::uint16_t{1});
// ==== feature/message_json.hpp
#ifndef ALDIS_feature_OF_message_json_3d20df312a904eab
#define ALDIS_feature_OF_message_json_3d20df312a904eab

// [as in the base]
bool read_json(aldis::json::reader<P>& in, Message& value);
template <aldis::json::policy P>
bool write_json(aldis::json::writer<P>& out, const Message_items& value);
template <aldis::json::policy P>
bool read_json(aldis::json::reader<P>& in, Message_items& value);

// [as in the base]
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"items":)", "items", aldis::json::write_as<as::list<as::record>, decltype(value.items)>}};
    const void* const places[]{&value.items};
    return out.write_members(members, places);
// [as in the base]
bool read_json(aldis::json::reader<P>& in, Message& value) {
    namespace as = aldis::json::as;
    static constexpr aldis::json::read_member<P> members[]{
        {"items", "items", aldis::json::read_as<as::list<as::record>, decltype(value.items)>,
            aldis::json::emptied<decltype(value.items)>}};
    const void* const places[]{&value.items};
    std::uint64_t seen[1]{};
    return in.read_members(members, seen, places);
}

template <aldis::json::policy P>
bool write_json(aldis::json::writer<P>& out, const Message_items& value) {
    namespace as = aldis::json::as;
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"n":)", "n", aldis::json::write_as<as::integer, decltype(value.n)>}};
    const void* const places[]{value.missing_fields.has(0) ? nullptr : &value.n};
    return out.write_members(members, places);
}

template <aldis::json::policy P>
bool read_json(aldis::json::reader<P>& in, Message_items& value) {
    value.missing_fields.clear();
// [as in the base]
    static constexpr aldis::json::read_member<P> members[]{
        {"n", "n", aldis::json::read_as<as::integer, decltype(value.n)>, nullptr}};
    const void* const places[]{&value.n};
    std::uint64_t seen[1]{};
// ==== feature/message_view.hpp
#ifndef ALDIS_feature_OF_message_view_3d20df312a904eab
#define ALDIS_feature_OF_message_view_3d20df312a904eab

// [as in the base]
class Message;
class Message_items;

// [as in the base]
class Message {
    using items_kind = in_place::list<in_place::head<4, in_place::stored<std::uint16_t, 2>,
        in_place::stored<std::uint16_t, 0>>, in_place::block<view::Message_items>>;
public:
    /// All of its fields are empty, zero or missing.
    Message() noexcept : Message(aldis::nowhere<4>()) {}
    explicit Message(const aldis::verified& place) noexcept : place_(place) {}

    /// A range of `view::Message_items`.
    [[nodiscard]] auto items() const noexcept { return items_kind::get(place_ + place_.extent); }

    /// The byte behind the record.
    friend const std::byte* end_of(const Message& record) noexcept {
        return items_kind::skip(record.place_ + record.place_.extent);
    }

private:
    aldis::verified place_;
};

/// `feature.Message.items`
class Message_items {
public:
    /// All of its fields are missing.
    Message_items() = default;
    explicit Message_items(const aldis::verified& place) noexcept : place_(place) {}

    [[nodiscard]] std::uint8_t n() const noexcept {
        return place_.extent >= 1 ? in_place::load<std::uint8_t>(place_.at) : std::uint8_t{0};
    }
// [as in the base]
        aldis::missing_set<1> missing;
        if (place_.extent < 1) {
            missing.add(0);
// [as in the base]
    /// The byte behind the record.
    friend const std::byte* end_of(const Message_items& record) noexcept {
        return record.place_.at + record.place_.extent;
// [as in the base]
inline const std::byte* verify_Message(auto& in, const std::byte* at, std::uint64_t extent);
inline const std::byte* verify_Message_items(auto& in, const std::byte* at, std::uint64_t extent);

// [as in the base]
    }
    if (!in.need_run(at, extent, {})) {
        return nullptr;
    }
    if (!in.pay(extent, at)) {
        return nullptr;
    }
    at += extent;
    // items
    {
        const std::byte* const head = at;
        if (!in.need_head(at, 4, {{0, 2, "blockLength"}, {2, 4, "numInGroup"}})) {
            return in.in_field("items");
        }
        const std::uint64_t size = reader::load<std::uint16_t>(at);
        const std::uint64_t count = reader::load<std::uint16_t>(at + 2);
        at += 4;
        if (!in.fits(count, size, at, head)) {
            return in.in_field("items");
        }
        if (!in.template pay_short<lacks_Message_items>(count, size, at)) {
            return in.in_field("items");
        }
        if (in.pays_for(count, size)) {
            at += count * size;
        } else {
            for (std::size_t index2 = 0; index2 < count; ++index2) {
                at = verify_Message_items(in, at, size);
                if (at == nullptr) {
                    in.in_element(index2);
                    return in.in_field("items");
                }
            }
        }
    }
    in.leave();
    return at;
}

[[nodiscard, gnu::always_inline]] inline const std::byte* verify_Message_items(
    auto& in,
    const std::byte* at,
    std::uint64_t extent) {
    if (!in.enter(at)) {
        return nullptr;
    }
    if (!in.need_run(at, extent, cuts_Message_items)) {
        return nullptr;
// ==== feature/message_writer.hpp
#ifndef ALDIS_feature_OF_message_writer_3d20df312a904eab
#define ALDIS_feature_OF_message_writer_3d20df312a904eab

// [as in the base]
class Message;
class Message_items;

// [as in the base]

    bool items(const std::vector<::feature::Message_items>& value) {
        aldis::draft& out = *draft_;
        if (!out.at_part(place_, 1)) {
            return out.refuse_field("items");
        }
        out.add(4);
        if (!out.within(value.size(), 0, 65534)) {
            return out.in_field("items");
        }
        for (std::size_t index = 0; const auto& item : value) {
            if (!size_Message_items(out, item)) {
                out.in_element(index);
                return out.in_field("items");
            }
            ++index;
        }
        std::byte* next = out.append_measured();
        if (next == nullptr) {
            return out.refuse_field("items");
        }
        const std::byte* const end = out.end();
        aldis::store<byte_order>(next, std::uint16_t{1});
        aldis::store<byte_order>(next + 2, static_cast<std::uint16_t>(value.size()));
        next += 4;
        for (const auto& item : value) {
            next = write_Message_items(next, item, end);
        }
        return out.next_step();
    }
    [[nodiscard]] aldis::list_draft<writer::Message_items> items(std::size_t count);

private:
    static void fill_0([[maybe_unused]] std::byte* at) {
    }
    static constexpr std::array<aldis::draft_step, 2> steps{{{0, fill_0}, {}}};
    aldis::draft* draft_;
    aldis::draft_place place_;
};

/// `feature.Message.items`
class Message_items {
public:
    /// Begun by `write`, or by the writer of the record that holds it.
    explicit Message_items(aldis::draft& draft) : draft_(&draft), place_(draft.enter_record(steps)) {}

    bool n(std::uint8_t value) { return draft_->set<byte_order>(place_, {.run = 0, .at = 0}, value, "n"); }

// [as in the base]
    static void fill_0(std::byte* at) {
        std::memset(at, 0, 1);
    }
    static constexpr std::array<aldis::draft_step, 1> steps{{{1, fill_0}}};
    aldis::draft* draft_;
// [as in the base]

inline aldis::list_draft<writer::Message_items> Message::items(std::size_t count) {
    const auto head = [count](std::byte* at) {
        aldis::store<byte_order>(at, std::uint16_t{1});
        aldis::store<byte_order>(at + 2, static_cast<std::uint16_t>(count));
    };
    return draft_->put_list<writer::Message_items>(place_, 1, count, "items", {.size = 4, .most = 65534}, head);
}

}  // namespace writer
// [as in the base]
    static void seal(std::byte* at, [[maybe_unused]] std::uint64_t total) {
        aldis::store<byte_order>(at, std::uint16_t{0});
        aldis::store<byte_order>(at + 2, std::uint16_t{1});
// ==== feature_stream.hpp
#ifndef ALDIS_feature_stream_3d20df312a904eab
#define ALDIS_feature_stream_3d20df312a904eab

