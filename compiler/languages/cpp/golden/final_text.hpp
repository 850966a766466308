// ==== feature.hpp
// Text in place, in the Final form.
#ifndef ALDIS_feature_a44ddf180d675d31
#define ALDIS_feature_a44ddf180d675d31

// ==== feature_json.hpp
// Text in place, in the Final form.
#ifndef ALDIS_feature_json_a44ddf180d675d31
#define ALDIS_feature_json_a44ddf180d675d31

// ==== feature_view.hpp
// Text in place, in the Final form.
#ifndef ALDIS_feature_view_a44ddf180d675d31
#define ALDIS_feature_view_a44ddf180d675d31

// ==== feature_writer.hpp
// Text in place, in the Final form.
#ifndef ALDIS_feature_writer_a44ddf180d675d31
#define ALDIS_feature_writer_a44ddf180d675d31

// ==== feature/forms.hpp
// Text in place, in the Final form.
#ifndef ALDIS_feature_OF_forms_a44ddf180d675d31
#define ALDIS_feature_OF_forms_a44ddf180d675d31

#define ALDIS_DIGEST_OF_feature 0xa44ddf180d675d31

// ==== feature/forms_json.hpp
// Text in place, in the Final form.
#ifndef ALDIS_feature_OF_forms_json_a44ddf180d675d31
#define ALDIS_feature_OF_forms_json_a44ddf180d675d31

// ==== feature/forms_view.hpp
// Text in place, in the Final form.
#ifndef ALDIS_feature_OF_forms_view_a44ddf180d675d31
#define ALDIS_feature_OF_forms_view_a44ddf180d675d31

// ==== feature/forms_writer.hpp
// Text in place, in the Final form.
#ifndef ALDIS_feature_OF_forms_writer_a44ddf180d675d31
#define ALDIS_feature_OF_forms_writer_a44ddf180d675d31

// ==== feature/messages.hpp
// Text in place, in the Final form.
#ifndef ALDIS_feature_OF_messages_a44ddf180d675d31
#define ALDIS_feature_OF_messages_a44ddf180d675d31

// ==== feature/message.hpp
// Text in place, in the Final form.
#ifndef ALDIS_feature_OF_message_a44ddf180d675d31
#define ALDIS_feature_OF_message_a44ddf180d675d31

// [as in the base]

#include <string>

namespace feature {
// [as in the base]
///   offset    size  field
///    after  varies  name
struct Message {
    std::string name{};

// [as in the base]

inline const std::byte* read_Message(auto& in, const std::byte* at, Message& value);
// [as in the base]
    }
    // name
    at = aldis::take_counted<std::uint32_t>(in, at, value.name, "count");
    if (at == nullptr) {
        return in.in_field("name");
    }
    in.leave();
// [as in the base]

inline bool size_Message(aldis::sizer& out, const Message& value) {
    out.add(4);
    out.add(value.name.size());
    return true;
// [as in the base]

inline std::byte* write_Message(std::byte* at, const Message& value, const std::byte* end) {
    std::byte* next = at;
    // name
    aldis::store<byte_order>(next, static_cast<std::uint32_t>(value.name.size()));
    next = aldis::store_bytes(next + 4, value.name, end);
    return next;
}
// ==== feature/message_json.hpp
// Text in place, in the Final form.
#ifndef ALDIS_feature_OF_message_json_a44ddf180d675d31
#define ALDIS_feature_OF_message_json_a44ddf180d675d31

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
// Text in place, in the Final form.
#ifndef ALDIS_feature_OF_message_view_a44ddf180d675d31
#define ALDIS_feature_OF_message_view_a44ddf180d675d31

// [as in the base]

    [[nodiscard]] std::string_view name() const noexcept { return in_place::text<std::uint32_t>::get(place_); }

// [as in the base]
    friend const std::byte* end_of(const Message& record) noexcept {
        return in_place::text<std::uint32_t>::skip(record.place_);
    }
// [as in the base]
    }
    // name
    at = aldis::pass_counted<std::uint32_t>(in, at, "count");
    if (at == nullptr) {
        return in.in_field("name");
    }
    in.leave();
// ==== feature/message_writer.hpp
// Text in place, in the Final form.
#ifndef ALDIS_feature_OF_message_writer_a44ddf180d675d31
#define ALDIS_feature_OF_message_writer_a44ddf180d675d31

// [as in the base]

    bool name(std::string_view value) { return draft_->put_bytes<byte_order, std::uint32_t>(place_, 0, value, "name"); }

private:
    static constexpr std::array<aldis::draft_step, 1> steps{{{}}};
    aldis::draft* draft_;
// ==== feature_stream.hpp
// Text in place, in the Final form.
#ifndef ALDIS_feature_stream_a44ddf180d675d31
#define ALDIS_feature_stream_a44ddf180d675d31

