// ==== feature.hpp
// A number that may be null, in the Final form.
#ifndef ALDIS_feature_9ad79507e0c603a4
#define ALDIS_feature_9ad79507e0c603a4

// ==== feature_json.hpp
// A number that may be null, in the Final form.
#ifndef ALDIS_feature_json_9ad79507e0c603a4
#define ALDIS_feature_json_9ad79507e0c603a4

// ==== feature_view.hpp
// A number that may be null, in the Final form.
#ifndef ALDIS_feature_view_9ad79507e0c603a4
#define ALDIS_feature_view_9ad79507e0c603a4

// ==== feature_writer.hpp
// A number that may be null, in the Final form.
#ifndef ALDIS_feature_writer_9ad79507e0c603a4
#define ALDIS_feature_writer_9ad79507e0c603a4

// ==== feature/forms.hpp
// A number that may be null, in the Final form.
#ifndef ALDIS_feature_OF_forms_9ad79507e0c603a4
#define ALDIS_feature_OF_forms_9ad79507e0c603a4

#define ALDIS_DIGEST_OF_feature 0x9ad79507e0c603a4

// ==== feature/forms_json.hpp
// A number that may be null, in the Final form.
#ifndef ALDIS_feature_OF_forms_json_9ad79507e0c603a4
#define ALDIS_feature_OF_forms_json_9ad79507e0c603a4

// ==== feature/forms_view.hpp
// A number that may be null, in the Final form.
#ifndef ALDIS_feature_OF_forms_view_9ad79507e0c603a4
#define ALDIS_feature_OF_forms_view_9ad79507e0c603a4

// ==== feature/forms_writer.hpp
// A number that may be null, in the Final form.
#ifndef ALDIS_feature_OF_forms_writer_9ad79507e0c603a4
#define ALDIS_feature_OF_forms_writer_9ad79507e0c603a4

// ==== feature/messages.hpp
// A number that may be null, in the Final form.
#ifndef ALDIS_feature_OF_messages_9ad79507e0c603a4
#define ALDIS_feature_OF_messages_9ad79507e0c603a4

// ==== feature/message.hpp
// A number that may be null, in the Final form.
#ifndef ALDIS_feature_OF_message_9ad79507e0c603a4
#define ALDIS_feature_OF_message_9ad79507e0c603a4

// [as in the base]
///   offset    size  field
///    after  varies  size
struct Message {
    std::optional<std::int32_t> size{};

// [as in the base]

inline const std::byte* read_Message(auto& in, const std::byte* at, Message& value);
// [as in the base]
    }
    // size
    if (!in.need(at, 1, 0)) {
        return in.in_field("size");
    }
    if (*at++ == std::byte{0}) {
        value.size.reset();
    } else {
        auto& held = aldis::present(value.size);
        if (!in.need(at, 4, 0)) {
            return in.in_field("size");
        }
        held = reader::load<std::int32_t>(at);
        at += 4;
    }
    in.leave();
// [as in the base]

inline bool size_Message(aldis::sizer& out, const Message& value) {
    out.add(1);
    if (value.size.has_value()) {
        out.add(4);
    }
    return true;
// [as in the base]
inline std::byte* write_Message(std::byte* at, const Message& value, [[maybe_unused]] const std::byte* end) {
    std::byte* next = at;
    // size
    aldis::store<byte_order>(next, value.size.has_value());
    ++next;
    if (value.size.has_value()) {
        std::byte* const cell2 = next;
        next += 4;
        aldis::store<byte_order>(cell2, (*value.size));
    }
    return next;
}
// ==== feature/message_json.hpp
// A number that may be null, in the Final form.
#ifndef ALDIS_feature_OF_message_json_9ad79507e0c603a4
#define ALDIS_feature_OF_message_json_9ad79507e0c603a4

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
// A number that may be null, in the Final form.
#ifndef ALDIS_feature_OF_message_view_9ad79507e0c603a4
#define ALDIS_feature_OF_message_view_9ad79507e0c603a4

// [as in the base]
    /// All of its fields are empty, zero or missing.
    Message() noexcept : Message(aldis::nowhere<1>()) {}
    explicit Message(const aldis::verified& place) noexcept : place_(place) {}

    [[nodiscard]] std::optional<std::int32_t> size() const noexcept {
        return in_place::maybe<in_place::number<std::int32_t>>::get(place_);
    }

// [as in the base]
    friend const std::byte* end_of(const Message& record) noexcept {
        return in_place::maybe<in_place::number<std::int32_t>>::skip(record.place_);
    }
// [as in the base]
    }
    // size
    if (!in.need(at, 1, 0)) {
        return in.in_field("size");
    }
    if (*at++ != std::byte{0}) {
        if (!in.need(at, 4, 0)) {
            return in.in_field("size");
        }
        at += 4;
    }
    in.leave();
// ==== feature/message_writer.hpp
// A number that may be null, in the Final form.
#ifndef ALDIS_feature_OF_message_writer_9ad79507e0c603a4
#define ALDIS_feature_OF_message_writer_9ad79507e0c603a4

// [as in the base]

    bool size(const std::optional<std::int32_t>& value) {
        aldis::draft& out = *draft_;
        if (!out.at_part(place_, 0)) {
            return out.refuse_field("size");
        }
        out.add(1);
        if (value.has_value()) {
            out.add(4);
        }
        std::byte* next = out.append_measured();
        if (next == nullptr) {
            return out.refuse_field("size");
        }
        aldis::store<byte_order>(next, value.has_value());
        ++next;
        if (value.has_value()) {
            std::byte* const cell2 = next;
            next += 4;
            aldis::store<byte_order>(cell2, (*value));
        }
        return out.next_step();
    }

private:
    static constexpr std::array<aldis::draft_step, 1> steps{{{}}};
    aldis::draft* draft_;
// ==== feature_stream.hpp
// A number that may be null, in the Final form.
#ifndef ALDIS_feature_stream_9ad79507e0c603a4
#define ALDIS_feature_stream_9ad79507e0c603a4

