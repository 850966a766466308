// ==== feature.hpp
#ifndef ALDIS_feature_0e8fc790cb5493c7
#define ALDIS_feature_0e8fc790cb5493c7

// ==== feature_json.hpp
#ifndef ALDIS_feature_json_0e8fc790cb5493c7
#define ALDIS_feature_json_0e8fc790cb5493c7

// ==== feature_view.hpp
#ifndef ALDIS_feature_view_0e8fc790cb5493c7
#define ALDIS_feature_view_0e8fc790cb5493c7

// ==== feature_writer.hpp
#ifndef ALDIS_feature_writer_0e8fc790cb5493c7
#define ALDIS_feature_writer_0e8fc790cb5493c7

// ==== feature/forms.hpp
#ifndef ALDIS_feature_OF_forms_0e8fc790cb5493c7
#define ALDIS_feature_OF_forms_0e8fc790cb5493c7

// ==== feature/forms_json.hpp
#ifndef ALDIS_feature_OF_forms_json_0e8fc790cb5493c7
#define ALDIS_feature_OF_forms_json_0e8fc790cb5493c7

// ==== feature/forms_view.hpp
#ifndef ALDIS_feature_OF_forms_view_0e8fc790cb5493c7
#define ALDIS_feature_OF_forms_view_0e8fc790cb5493c7

// ==== feature/forms_writer.hpp
#ifndef ALDIS_feature_OF_forms_writer_0e8fc790cb5493c7
#define ALDIS_feature_OF_forms_writer_0e8fc790cb5493c7

// ==== feature/messages.hpp
#ifndef ALDIS_feature_OF_messages_0e8fc790cb5493c7
#define ALDIS_feature_OF_messages_0e8fc790cb5493c7

// ==== feature/message.hpp
#ifndef ALDIS_feature_OF_message_0e8fc790cb5493c7
#define ALDIS_feature_OF_message_0e8fc790cb5493c7

// [as in the base]
///        0       4  number
///        4       4  later, since version 1
///                8  (total, as this schema's writers write it)
struct Message {
    std::uint32_t number = 0;
    std::optional<std::uint32_t> later = 0;
    /// Fields by their place in this record, as `missing_fields` has them.
// [as in the base]
    /// Required fields that a message's bytes ended before.
    aldis::missing_set<2> missing_fields{};

// [as in the base]

inline constexpr std::array<aldis::cut, 2> cuts_Message{{{0, 4, "number"}, {4, 8, "later", 8, 1}}};
inline const std::byte* read_Message(auto& in, const std::byte* at, std::uint64_t extent, Message& value);
// [as in the base]
[[nodiscard, gnu::always_inline]] inline const std::byte* read_Message_block(
    auto& in,
    const std::byte* at,
// [as in the base]
    }
    if (Whole || (in.version() >= 1 && extent >= 8)) {
        value.later = reader::load<std::uint32_t>(at + 4);
    } else {
        value.later.reset();
    }
    return at + extent;
// [as in the base]
    }
    const bool whole = extent >= 8 && in.current();
    at = !aldis::explains<decltype(in)> && whole
// [as in the base]
inline bool size_Message(aldis::sizer& out, const Message& value) {
    out.add(8);
    if (value.missing_fields.any()) {
        static constexpr std::string_view names[] = {"number", "later"};
        return out.refuse(names[value.missing_fields.first()]);
// [as in the base]
    aldis::store<byte_order>(at, value.number);
    aldis::store<byte_order>(at + 4, value.later.value_or(aldis::from_bits<std::uint32_t>(0xffffffffU)));
    return at + 8;
}
// [as in the base]
    static void write(std::byte* at, const Message& value, std::uint64_t total) {
        aldis::store<byte_order>(at, std::uint16_t{8});
        aldis::store<byte_order>(at + 2, std::uint16_t{1});
        aldis::store<byte_order>(at + 4, std::uint16_t{1});
        aldis::store<byte_order>(at + 6, std::uint16_t{1});
        write_Message(at + 8, value, at + total);
// [as in the base]
        }
        in.set_version(reader::load<std::uint16_t>(head + 6), 1);
        const std::byte* const end = read_Message(in, head + 8, extent, value);
// ==== feature/message_json.hpp
#ifndef ALDIS_feature_OF_message_json_0e8fc790cb5493c7
#define ALDIS_feature_OF_message_json_0e8fc790cb5493c7

// [as in the base]
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"number":)", "number", aldis::json::write_as<as::integer, decltype(value.number)>},
        {R"(,"later":)", "later", aldis::json::write_as<as::optional<as::integer>, decltype(value.later)>}};
    const void* const places[]{value.missing_fields.has(0) ? nullptr : &value.number, &value.later};
    return out.write_members(members, places);
// [as in the base]
    static constexpr aldis::json::read_member<P> members[]{
        {"number", "number", aldis::json::read_as<as::integer, decltype(value.number)>, nullptr},
        {"later", "later", aldis::json::read_as<as::optional<as::integer>, decltype(value.later)>, nullptr}};
    const void* const places[]{&value.number, &value.later};
    std::uint64_t seen[1]{};
// ==== feature/message_view.hpp
#ifndef ALDIS_feature_OF_message_view_0e8fc790cb5493c7
#define ALDIS_feature_OF_message_view_0e8fc790cb5493c7

// [as in the base]
    }
    [[nodiscard]] std::optional<std::uint32_t> later() const noexcept {
        if (!(place_.version >= 1 && place_.extent >= 8)) {
            return std::nullopt;
        }
        return in_place::number<std::uint32_t>::get(place_ + 4);
    }

    /// Required fields that the message's bytes ended before, by their place in the record.
    [[nodiscard]] aldis::missing_set<2> missing_fields() const noexcept {
        aldis::missing_set<2> missing;
        if (place_.extent < 4) {
// [as in the base]
        }
        in.set_version(reader::load<std::uint16_t>(head + 6), 1);
        record = {head + 8, head + 8, extent, in.version()};
        const std::byte* const end = verify_Message(in, head + 8, extent);
// ==== feature/message_writer.hpp
#ifndef ALDIS_feature_OF_message_writer_0e8fc790cb5493c7
#define ALDIS_feature_OF_message_writer_0e8fc790cb5493c7

// [as in the base]
    bool number(std::uint32_t value) { return draft_->set<byte_order>(place_, {.run = 0, .at = 0}, value, "number"); }
    bool later(const std::optional<std::uint32_t>& value) {
        return draft_->set<byte_order>(place_, {.run = 0, .at = 4},
            value.value_or(aldis::from_bits<std::uint32_t>(0xffffffffU)), "later");
    }

// [as in the base]
    static void fill_0(std::byte* at) {
        std::memset(at, 0, 8);
    }
    static constexpr std::array<aldis::draft_step, 1> steps{{{8, fill_0}}};
    aldis::draft* draft_;
// [as in the base]
    static void seal(std::byte* at, [[maybe_unused]] std::uint64_t total) {
        aldis::store<byte_order>(at, std::uint16_t{8});
        aldis::store<byte_order>(at + 2, std::uint16_t{1});
        aldis::store<byte_order>(at + 4, std::uint16_t{1});
        aldis::store<byte_order>(at + 6, std::uint16_t{1});
    }
// ==== feature_stream.hpp
#ifndef ALDIS_feature_stream_0e8fc790cb5493c7
#define ALDIS_feature_stream_0e8fc790cb5493c7

