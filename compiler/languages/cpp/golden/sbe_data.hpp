// ==== feature.hpp
#ifndef ALDIS_feature_96fd9b53377af350
#define ALDIS_feature_96fd9b53377af350

// ==== feature_json.hpp
#ifndef ALDIS_feature_json_96fd9b53377af350
#define ALDIS_feature_json_96fd9b53377af350

// ==== feature_view.hpp
#ifndef ALDIS_feature_view_96fd9b53377af350
#define ALDIS_feature_view_96fd9b53377af350

// ==== feature_writer.hpp
#ifndef ALDIS_feature_writer_96fd9b53377af350
#define ALDIS_feature_writer_96fd9b53377af350

// ==== feature/forms.hpp
#ifndef ALDIS_feature_OF_forms_96fd9b53377af350
#define ALDIS_feature_OF_forms_96fd9b53377af350

// ==== feature/forms_json.hpp
#ifndef ALDIS_feature_OF_forms_json_96fd9b53377af350
#define ALDIS_feature_OF_forms_json_96fd9b53377af350

// ==== feature/forms_view.hpp
#ifndef ALDIS_feature_OF_forms_view_96fd9b53377af350
#define ALDIS_feature_OF_forms_view_96fd9b53377af350

// ==== feature/forms_writer.hpp
#ifndef ALDIS_feature_OF_forms_writer_96fd9b53377af350
#define ALDIS_feature_OF_forms_writer_96fd9b53377af350

// ==== feature/messages.hpp
#ifndef ALDIS_feature_OF_messages_96fd9b53377af350
#define ALDIS_feature_OF_messages_96fd9b53377af350

// ==== feature/message.hpp
#ifndef ALDIS_feature_OF_message_96fd9b53377af350
#define ALDIS_feature_OF_message_96fd9b53377af350

// [as in the base]

#include <string>

namespace feature {
// [as in the base]
///   offset    size  field
///                0  (total, as this schema's writers write it)
///    after  varies  note
struct Message {
    std::string note{};

// [as in the base]

inline const std::byte* read_Message(auto& in, const std::byte* at, std::uint64_t extent, Message& value);
inline bool size_Message(aldis::sizer& out, const Message& value);
// [as in the base]
    std::uint64_t extent,
    [[maybe_unused]] Message& value) {
    return at + extent;
// [as in the base]
    }
    if (!in.need_run(at, extent, {})) {
        return nullptr;
// [as in the base]
    }
    at = read_Message_block<true>(in, at, extent, value);
    if (at == nullptr) {
// [as in the base]
    }
    // note
    at = aldis::take_counted<std::uint16_t>(in, at, value.note, "length");
    if (at == nullptr) {
        return in.in_field("note");
    }
    in.leave();
// [as in the base]
inline bool size_Message(aldis::sizer& out, const Message& value) {
    out.add(2);
    if (!out.within(value.note.size(), 0, 65534)) {
        return out.in_field("note");
    }
    out.add(value.note.size());
    return true;
// [as in the base]

inline std::byte* write_Message(std::byte* at, const Message& value, const std::byte* end) {
    std::byte* next = at;
    // note
    aldis::store<byte_order>(next, static_cast<std::uint16_t>(value.note.size()));
    next = aldis::store_bytes(next + 2, value.note, end);
    return next;
}
// [as in the base]
    static void write(std::byte* at, const Message& value, std::uint64_t total) {
        aldis::store<byte_order>(at, std::uint16_t{0});
        aldis::store<byte_order>(at + 2, std::uint16_t{1});
// ==== feature/message_json.hpp
#ifndef ALDIS_feature_OF_message_json_96fd9b53377af350
#define ALDIS_feature_OF_message_json_96fd9b53377af350

// [as in the base]
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"note":)", "note", aldis::json::write_as<as::text, decltype(value.note)>}};
    const void* const places[]{&value.note};
    return out.write_members(members, places);
// [as in the base]
bool read_json(aldis::json::reader<P>& in, Message& value) {
    namespace as = aldis::json::as;
    static constexpr aldis::json::read_member<P> members[]{
        {"note", "note", aldis::json::read_as<as::text, decltype(value.note)>,
            aldis::json::emptied<decltype(value.note)>}};
    const void* const places[]{&value.note};
    std::uint64_t seen[1]{};
// ==== feature/message_view.hpp
#ifndef ALDIS_feature_OF_message_view_96fd9b53377af350
#define ALDIS_feature_OF_message_view_96fd9b53377af350

// [as in the base]
public:
    /// All of its fields are empty, zero or missing.
    Message() noexcept : Message(aldis::nowhere<2>()) {}
    explicit Message(const aldis::verified& place) noexcept : place_(place) {}

    [[nodiscard]] std::string_view note() const noexcept {
        return in_place::text<std::uint16_t>::get(place_ + place_.extent);
    }
// [as in the base]
    friend const std::byte* end_of(const Message& record) noexcept {
        return in_place::text<std::uint16_t>::skip(record.place_ + record.place_.extent);
    }
// [as in the base]
    }
    if (!in.need_run(at, extent, {})) {
        return nullptr;
// [as in the base]
    at += extent;
    // note
    at = aldis::pass_counted<std::uint16_t>(in, at, "length");
    if (at == nullptr) {
        return in.in_field("note");
    }
    in.leave();
// ==== feature/message_writer.hpp
#ifndef ALDIS_feature_OF_message_writer_96fd9b53377af350
#define ALDIS_feature_OF_message_writer_96fd9b53377af350

// [as in the base]

    bool note(std::string_view value) {
        return draft_->put_bytes<byte_order, std::uint16_t>(place_, 1, value, "note", 65534);
    }

private:
    static void fill_0([[maybe_unused]] std::byte* at) {
    }
    static constexpr std::array<aldis::draft_step, 2> steps{{{0, fill_0}, {}}};
    aldis::draft* draft_;
// [as in the base]
    static void seal(std::byte* at, [[maybe_unused]] std::uint64_t total) {
        aldis::store<byte_order>(at, std::uint16_t{0});
        aldis::store<byte_order>(at + 2, std::uint16_t{1});
// ==== feature_stream.hpp
#ifndef ALDIS_feature_stream_96fd9b53377af350
#define ALDIS_feature_stream_96fd9b53377af350

