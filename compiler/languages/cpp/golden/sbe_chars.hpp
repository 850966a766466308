// ==== feature.hpp
#ifndef ALDIS_feature_cc21f497c1f135a3
#define ALDIS_feature_cc21f497c1f135a3

// ==== feature_json.hpp
#ifndef ALDIS_feature_json_cc21f497c1f135a3
#define ALDIS_feature_json_cc21f497c1f135a3

// ==== feature_view.hpp
#ifndef ALDIS_feature_view_cc21f497c1f135a3
#define ALDIS_feature_view_cc21f497c1f135a3

// ==== feature_writer.hpp
#ifndef ALDIS_feature_writer_cc21f497c1f135a3
#define ALDIS_feature_writer_cc21f497c1f135a3

// ==== feature/forms.hpp
#ifndef ALDIS_feature_OF_forms_cc21f497c1f135a3
#define ALDIS_feature_OF_forms_cc21f497c1f135a3

// ==== feature/forms_json.hpp
#ifndef ALDIS_feature_OF_forms_json_cc21f497c1f135a3
#define ALDIS_feature_OF_forms_json_cc21f497c1f135a3

// ==== feature/forms_view.hpp
#ifndef ALDIS_feature_OF_forms_view_cc21f497c1f135a3
#define ALDIS_feature_OF_forms_view_cc21f497c1f135a3

// ==== feature/forms_writer.hpp
#ifndef ALDIS_feature_OF_forms_writer_cc21f497c1f135a3
#define ALDIS_feature_OF_forms_writer_cc21f497c1f135a3

// ==== feature/messages.hpp
#ifndef ALDIS_feature_OF_messages_cc21f497c1f135a3
#define ALDIS_feature_OF_messages_cc21f497c1f135a3

// ==== feature/message.hpp
#ifndef ALDIS_feature_OF_message_cc21f497c1f135a3
#define ALDIS_feature_OF_message_cc21f497c1f135a3

// [as in the base]

#include <string>

namespace feature {
// [as in the base]
///   offset    size  field
///        0       4  code
///                4  (total, as this schema's writers write it)
struct Message {
    std::string code{};
    /// Fields by their place in this record, as `missing_fields` has them.
    struct field_places {
        static constexpr std::size_t code = 0;
    };
// [as in the base]

inline constexpr std::array<aldis::cut, 1> cuts_Message{{{0, 4, "code"}}};
inline const std::byte* read_Message(auto& in, const std::byte* at, std::uint64_t extent, Message& value);
// [as in the base]
    if (Whole || extent >= 4) {
        aldis::load_chars<4>(at, value.code);
    } else {
        value.code.clear();
        value.missing_fields.add(0);
// [as in the base]
    if (value.missing_fields.any()) {
        static constexpr std::string_view names[] = {"code"};
        return out.refuse(names[value.missing_fields.first()]);
    }
    if (!out.within(value.code.size(), 0, 4)) {
        return out.in_field("code");
    }
    return true;
// [as in the base]
inline std::byte* write_Message(std::byte* at, const Message& value, [[maybe_unused]] const std::byte* end) {
    aldis::store_chars(at, 4, value.code);
    return at + 4;
// ==== feature/message_json.hpp
#ifndef ALDIS_feature_OF_message_json_cc21f497c1f135a3
#define ALDIS_feature_OF_message_json_cc21f497c1f135a3

// [as in the base]
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"code":)", "code", aldis::json::write_as<as::latin1, decltype(value.code)>}};
    const void* const places[]{value.missing_fields.has(0) ? nullptr : &value.code};
    return out.write_members(members, places);
// [as in the base]
    static constexpr aldis::json::read_member<P> members[]{
        {"code", "code", aldis::json::read_as<as::latin1, decltype(value.code)>, nullptr}};
    const void* const places[]{&value.code};
    std::uint64_t seen[1]{};
// ==== feature/message_view.hpp
#ifndef ALDIS_feature_OF_message_view_cc21f497c1f135a3
#define ALDIS_feature_OF_message_view_cc21f497c1f135a3

// [as in the base]

    [[nodiscard]] std::string_view code() const noexcept {
        return place_.extent >= 4 ? in_place::chars<4>::get(place_) : std::string_view{};
    }
// ==== feature/message_writer.hpp
#ifndef ALDIS_feature_OF_message_writer_cc21f497c1f135a3
#define ALDIS_feature_OF_message_writer_cc21f497c1f135a3

// [as in the base]

    bool code(std::string_view value) {
        aldis::draft& out = *draft_;
        if (!out.within(value.size(), 0, 4)) {
            return out.in_field("code");
        }
        std::byte* const at = out.run(place_, 0);
        if (at == nullptr) {
            return out.refuse_field("code");
        }
        aldis::store_chars(at, 4, value);
        return true;
    }

// ==== feature_stream.hpp
#ifndef ALDIS_feature_stream_cc21f497c1f135a3
#define ALDIS_feature_stream_cc21f497c1f135a3

