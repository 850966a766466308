// ==== feature.hpp
#ifndef ALDIS_feature_0cd70b116497dcd7
#define ALDIS_feature_0cd70b116497dcd7

// ==== feature_json.hpp
#ifndef ALDIS_feature_json_0cd70b116497dcd7
#define ALDIS_feature_json_0cd70b116497dcd7

// ==== feature_view.hpp
#ifndef ALDIS_feature_view_0cd70b116497dcd7
#define ALDIS_feature_view_0cd70b116497dcd7

// ==== feature_writer.hpp
#ifndef ALDIS_feature_writer_0cd70b116497dcd7
#define ALDIS_feature_writer_0cd70b116497dcd7

// ==== feature/forms.hpp
#ifndef ALDIS_feature_OF_forms_0cd70b116497dcd7
#define ALDIS_feature_OF_forms_0cd70b116497dcd7

// ==== feature/forms_json.hpp
#ifndef ALDIS_feature_OF_forms_json_0cd70b116497dcd7
#define ALDIS_feature_OF_forms_json_0cd70b116497dcd7

// ==== feature/forms_view.hpp
#ifndef ALDIS_feature_OF_forms_view_0cd70b116497dcd7
#define ALDIS_feature_OF_forms_view_0cd70b116497dcd7

// ==== feature/forms_writer.hpp
#ifndef ALDIS_feature_OF_forms_writer_0cd70b116497dcd7
#define ALDIS_feature_OF_forms_writer_0cd70b116497dcd7

// ==== feature/messages.hpp
#ifndef ALDIS_feature_OF_messages_0cd70b116497dcd7
#define ALDIS_feature_OF_messages_0cd70b116497dcd7

// ==== feature/message.hpp
#ifndef ALDIS_feature_OF_message_0cd70b116497dcd7
#define ALDIS_feature_OF_message_0cd70b116497dcd7

// [as in the base]
///   offset    size  field
///        0       2  count
///                2  (total, as this schema's writers write it)
struct Message {
    std::optional<std::uint16_t> count{};

// [as in the base]

inline constexpr std::array<aldis::cut, 1> cuts_Message{{{0, 2, "count"}}};
inline const std::byte* read_Message(auto& in, const std::byte* at, std::uint64_t extent, Message& value);
// [as in the base]
    Message& value) {
    if (Whole || extent >= 2) {
        aldis::set_unless(value.count, reader::load<std::uint16_t>(at), aldis::from_bits<std::uint16_t>(0xffffU));
    } else {
        value.count.reset();
    }
// [as in the base]
    }
    if (!in.need_run(at, extent, cuts_Message)) {
// [as in the base]
    }
    const bool whole = extent >= 2;
    at = !aldis::explains<decltype(in)> && whole
// [as in the base]

inline bool size_Message(aldis::sizer& out, [[maybe_unused]] const Message& value) {
    out.add(2);
    return true;
// [as in the base]
inline std::byte* write_Message(std::byte* at, const Message& value, [[maybe_unused]] const std::byte* end) {
    aldis::store<byte_order>(at, value.count.value_or(aldis::from_bits<std::uint16_t>(0xffffU)));
    return at + 2;
}
// [as in the base]
    static void write(std::byte* at, const Message& value, std::uint64_t total) {
        aldis::store<byte_order>(at, std::uint16_t{2});
        aldis::store<byte_order>(at + 2, std::uint16_t{1});
// ==== feature/message_json.hpp
#ifndef ALDIS_feature_OF_message_json_0cd70b116497dcd7
#define ALDIS_feature_OF_message_json_0cd70b116497dcd7

// [as in the base]
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"count":)", "count", aldis::json::write_as<as::optional<as::integer>, decltype(value.count)>}};
    const void* const places[]{&value.count};
    return out.write_members(members, places);
// [as in the base]
bool read_json(aldis::json::reader<P>& in, Message& value) {
    namespace as = aldis::json::as;
    static constexpr aldis::json::read_member<P> members[]{
        {"count", "count", aldis::json::read_as<as::optional<as::integer>, decltype(value.count)>,
            aldis::json::emptied<decltype(value.count)>}};
    const void* const places[]{&value.count};
    std::uint64_t seen[1]{};
// ==== feature/message_view.hpp
#ifndef ALDIS_feature_OF_message_view_0cd70b116497dcd7
#define ALDIS_feature_OF_message_view_0cd70b116497dcd7

// [as in the base]

    [[nodiscard]] std::optional<std::uint16_t> count() const noexcept {
        if (place_.extent < 2) {
            return std::nullopt;
        }
        return in_place::nullable<std::uint16_t, 0xffffU>::get(place_);
    }
// ==== feature/message_writer.hpp
#ifndef ALDIS_feature_OF_message_writer_0cd70b116497dcd7
#define ALDIS_feature_OF_message_writer_0cd70b116497dcd7

// [as in the base]

    bool count(const std::optional<std::uint16_t>& value) {
        return draft_->set<byte_order>(place_, {.run = 0, .at = 0},
            value.value_or(aldis::from_bits<std::uint16_t>(0xffffU)), "count");
    }

// [as in the base]
    static void fill_0(std::byte* at) {
        std::memset(at, 0, 2);
        aldis::store<byte_order>(at, aldis::from_bits<std::uint16_t>(0xffffU));
    }
    static constexpr std::array<aldis::draft_step, 1> steps{{{2, fill_0}}};
    aldis::draft* draft_;
// [as in the base]
    static void seal(std::byte* at, [[maybe_unused]] std::uint64_t total) {
        aldis::store<byte_order>(at, std::uint16_t{2});
        aldis::store<byte_order>(at + 2, std::uint16_t{1});
// ==== feature_stream.hpp
#ifndef ALDIS_feature_stream_0cd70b116497dcd7
#define ALDIS_feature_stream_0cd70b116497dcd7

