// ==== feature.hpp
#ifndef ALDIS_feature_185a4e6bcdde0efe
#define ALDIS_feature_185a4e6bcdde0efe

// ==== feature_json.hpp
#ifndef ALDIS_feature_json_185a4e6bcdde0efe
#define ALDIS_feature_json_185a4e6bcdde0efe

// ==== feature_view.hpp
#ifndef ALDIS_feature_view_185a4e6bcdde0efe
#define ALDIS_feature_view_185a4e6bcdde0efe

// ==== feature_writer.hpp
#ifndef ALDIS_feature_writer_185a4e6bcdde0efe
#define ALDIS_feature_writer_185a4e6bcdde0efe

// ==== feature/forms.hpp
#ifndef ALDIS_feature_OF_forms_185a4e6bcdde0efe
#define ALDIS_feature_OF_forms_185a4e6bcdde0efe

// ==== feature/forms_json.hpp
#ifndef ALDIS_feature_OF_forms_json_185a4e6bcdde0efe
#define ALDIS_feature_OF_forms_json_185a4e6bcdde0efe

// ==== feature/forms_view.hpp
#ifndef ALDIS_feature_OF_forms_view_185a4e6bcdde0efe
#define ALDIS_feature_OF_forms_view_185a4e6bcdde0efe

// ==== feature/forms_writer.hpp
#ifndef ALDIS_feature_OF_forms_writer_185a4e6bcdde0efe
#define ALDIS_feature_OF_forms_writer_185a4e6bcdde0efe

// ==== feature/messages.hpp
#ifndef ALDIS_feature_OF_messages_185a4e6bcdde0efe
#define ALDIS_feature_OF_messages_185a4e6bcdde0efe

// ==== feature/message.hpp
#ifndef ALDIS_feature_OF_message_185a4e6bcdde0efe
#define ALDIS_feature_OF_message_185a4e6bcdde0efe

// [as in the base]
///   offset    size  field
///        0       6  row
///                6  (total, as this schema's writers write it)
struct Message {
    std::array<std::int16_t, 3> row{};
    /// Fields by their place in this record, as `missing_fields` has them.
    struct field_places {
        static constexpr std::size_t row = 0;
    };
// [as in the base]

inline constexpr std::array<aldis::cut, 1> cuts_Message{{{0, 6, "row"}}};
inline const std::byte* read_Message(auto& in, const std::byte* at, std::uint64_t extent, Message& value);
inline bool size_Message(aldis::sizer& out, const Message& value);
// [as in the base]
    Message& value) {
    if (Whole || extent >= 6) {
        reader::load_row(at, 3, value.row.data());
    } else {
        value.row = {};
        value.missing_fields.add(0);
// [as in the base]
    }
    static constexpr std::array<aldis::surcharge, 1> links{{{6, 18}}};
    if (!in.pay(extent + in.extra(aldis::surcharged(extent, links)), at)) {
        return nullptr;
    }
    const bool whole = extent >= 6;
    at = !aldis::explains<decltype(in)> && whole
// [as in the base]
inline bool size_Message(aldis::sizer& out, const Message& value) {
    out.add(6);
    if (value.missing_fields.any()) {
        static constexpr std::string_view names[] = {"row"};
        return out.refuse(names[value.missing_fields.first()]);
// [as in the base]
inline std::byte* write_Message(std::byte* at, const Message& value, [[maybe_unused]] const std::byte* end) {
    aldis::store_row<byte_order>(at, value.row.data(), 3);
    return at + 6;
}
// [as in the base]
    static void write(std::byte* at, const Message& value, std::uint64_t total) {
        aldis::store<byte_order>(at, std::uint16_t{6});
        aldis::store<byte_order>(at + 2, std::uint16_t{1});
// ==== feature/message_json.hpp
#ifndef ALDIS_feature_OF_message_json_185a4e6bcdde0efe
#define ALDIS_feature_OF_message_json_185a4e6bcdde0efe

// [as in the base]
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"row":)", "row", aldis::json::write_as<as::array<as::integer>, decltype(value.row)>}};
    const void* const places[]{value.missing_fields.has(0) ? nullptr : &value.row};
    return out.write_members(members, places);
// [as in the base]
    static constexpr aldis::json::read_member<P> members[]{
        {"row", "row", aldis::json::read_as<as::array<as::integer>, decltype(value.row)>, nullptr}};
    const void* const places[]{&value.row};
    std::uint64_t seen[1]{};
// ==== feature/message_view.hpp
#ifndef ALDIS_feature_OF_message_view_185a4e6bcdde0efe
#define ALDIS_feature_OF_message_view_185a4e6bcdde0efe

// [as in the base]

    /// A range of `std::int16_t`.
    [[nodiscard]] auto row() const noexcept {
        using kind = in_place::array<3, 2, in_place::number<std::int16_t>>;
        return place_.extent >= 6 ? kind::get(place_) : kind::value_type({}, 3);
    }
// [as in the base]
        aldis::missing_set<1> missing;
        if (place_.extent < 6) {
            missing.add(0);
// [as in the base]
    }
    static constexpr std::array<aldis::surcharge, 1> links{{{6, 18}}};
    if (!in.pay(extent + in.extra(aldis::surcharged(extent, links)), at)) {
        return nullptr;
// ==== feature/message_writer.hpp
#ifndef ALDIS_feature_OF_message_writer_185a4e6bcdde0efe
#define ALDIS_feature_OF_message_writer_185a4e6bcdde0efe

// [as in the base]

    bool row(const std::array<std::int16_t, 3>& value) {
        aldis::draft& out = *draft_;
        std::byte* const at = out.run(place_, 0);
        if (at == nullptr) {
            return out.refuse_field("row");
        }
        aldis::store_row<byte_order>(at, value.data(), 3);
        return true;
    }

// [as in the base]
    static void fill_0(std::byte* at) {
        std::memset(at, 0, 6);
    }
    static constexpr std::array<aldis::draft_step, 1> steps{{{6, fill_0}}};
    aldis::draft* draft_;
// [as in the base]
    static void seal(std::byte* at, [[maybe_unused]] std::uint64_t total) {
        aldis::store<byte_order>(at, std::uint16_t{6});
        aldis::store<byte_order>(at + 2, std::uint16_t{1});
// ==== feature_stream.hpp
#ifndef ALDIS_feature_stream_185a4e6bcdde0efe
#define ALDIS_feature_stream_185a4e6bcdde0efe

