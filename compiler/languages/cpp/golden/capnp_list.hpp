// ==== feature.hpp
// Numbers behind a pointer.
#ifndef ALDIS_feature_e841bf559c2c0c60
#define ALDIS_feature_e841bf559c2c0c60

// ==== feature_json.hpp
// Numbers behind a pointer.
#ifndef ALDIS_feature_json_e841bf559c2c0c60
#define ALDIS_feature_json_e841bf559c2c0c60

// ==== feature_view.hpp
// Numbers behind a pointer.
#ifndef ALDIS_feature_view_e841bf559c2c0c60
#define ALDIS_feature_view_e841bf559c2c0c60

// ==== feature_writer.hpp
// Numbers behind a pointer.
#ifndef ALDIS_feature_writer_e841bf559c2c0c60
#define ALDIS_feature_writer_e841bf559c2c0c60

// ==== feature/forms.hpp
// Numbers behind a pointer.
#ifndef ALDIS_feature_OF_forms_e841bf559c2c0c60
#define ALDIS_feature_OF_forms_e841bf559c2c0c60

#define ALDIS_DIGEST_OF_feature 0xe841bf559c2c0c60

// ==== feature/forms_json.hpp
// Numbers behind a pointer.
#ifndef ALDIS_feature_OF_forms_json_e841bf559c2c0c60
#define ALDIS_feature_OF_forms_json_e841bf559c2c0c60

// ==== feature/forms_view.hpp
// Numbers behind a pointer.
#ifndef ALDIS_feature_OF_forms_view_e841bf559c2c0c60
#define ALDIS_feature_OF_forms_view_e841bf559c2c0c60

// ==== feature/forms_writer.hpp
// Numbers behind a pointer.
#ifndef ALDIS_feature_OF_forms_writer_e841bf559c2c0c60
#define ALDIS_feature_OF_forms_writer_e841bf559c2c0c60

// ==== feature/messages.hpp
// Numbers behind a pointer.
#ifndef ALDIS_feature_OF_messages_e841bf559c2c0c60
#define ALDIS_feature_OF_messages_e841bf559c2c0c60

// ==== feature/message.hpp
// Numbers behind a pointer.
#ifndef ALDIS_feature_OF_message_e841bf559c2c0c60
#define ALDIS_feature_OF_message_e841bf559c2c0c60

// [as in the base]

#include <vector>

namespace feature {
// [as in the base]
///
/// Layout: 0 words of data, 1 pointer
///   offset    size  field
///       *0       8  sizes
struct Message {
    std::optional<std::vector<std::uint32_t>> sizes{};

// [as in the base]

inline constexpr aldis::lacks<0, 1> lacks_Message{{}, {{{8, 5}}}};
inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value);
// [as in the base]

inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value) {
    if (!in.numbers(at.pointer(0), value.sizes)) {
        return in.in_field("sizes");
    }
    return true;
// [as in the base]

inline bool size_Message(aldis::segments::sizer& out, const Message& value) {
    if (!out.numbers(value.sizes, 32)) {
        return out.in_field("sizes");
    }
    return true;
// [as in the base]

inline void write_Message(aldis::segments::writer& out, std::byte* at, const Message& value) {
    std::memset(at, 0, 8);
    out.numbers(at, value.sizes);
}
// [as in the base]
struct message_of<Message> {
    static constexpr std::uint64_t data = 0;
    static constexpr std::uint64_t pointers = 1;
    static constexpr bool writes_unpaid = false;
// ==== feature/message_json.hpp
// Numbers behind a pointer.
#ifndef ALDIS_feature_OF_message_json_e841bf559c2c0c60
#define ALDIS_feature_OF_message_json_e841bf559c2c0c60

// [as in the base]
    namespace as = aldis::json::as;
    if (value.sizes.has_value()) {
        out.member(R"("sizes":)");
        if (!as::list<as::integer>::write(out, *value.sizes)) {
            return out.in_field("sizes");
        }
    }
// [as in the base]
    namespace as = aldis::json::as;
    static constexpr std::array<std::string_view, 1> names{{"sizes"}};
    aldis::json::members<1, true> object;
// [as in the base]
        switch (object.field) {
            case 0: read = as::optional<as::list<as::integer>>::read(in, value.sizes); break;
        }
// [as in the base]
    if (!object.has(0)) {
        value.sizes.reset();
    }
// ==== feature/message_view.hpp
// Numbers behind a pointer.
#ifndef ALDIS_feature_OF_message_view_e841bf559c2c0c60
#define ALDIS_feature_OF_message_view_e841bf559c2c0c60

// [as in the base]

    [[nodiscard]] auto sizes() const noexcept { return place_.follow<in_place::numbers<std::uint32_t>>(0); }

// [as in the base]

inline bool verify_Message(aldis::segments::verifier& in, const aldis::segments::body& at) {
    if (!in.numbers(at.pointer(0), 4)) {
        return in.in_field("sizes");
    }
    return true;
// ==== feature/message_writer.hpp
// Numbers behind a pointer.
#ifndef ALDIS_feature_OF_message_writer_e841bf559c2c0c60
#define ALDIS_feature_OF_message_writer_e841bf559c2c0c60

// [as in the base]

    void sizes(std::optional<std::span<const std::uint32_t>> values) const {
        place_.put<drafts::numbers<std::uint32_t>>(0, values);
    }
    auto sizes(std::size_t count) const { return place_.put<drafts::numbers<std::uint32_t>>(0, count); }

// ==== feature_stream.hpp
// Numbers behind a pointer.
#ifndef ALDIS_feature_stream_e841bf559c2c0c60
#define ALDIS_feature_stream_e841bf559c2c0c60

