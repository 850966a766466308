// ==== feature.hpp
// Bits behind a pointer.
#ifndef ALDIS_feature_5d88bdcabc54b969
#define ALDIS_feature_5d88bdcabc54b969

// ==== feature_json.hpp
// Bits behind a pointer.
#ifndef ALDIS_feature_json_5d88bdcabc54b969
#define ALDIS_feature_json_5d88bdcabc54b969

// ==== feature_view.hpp
// Bits behind a pointer.
#ifndef ALDIS_feature_view_5d88bdcabc54b969
#define ALDIS_feature_view_5d88bdcabc54b969

// ==== feature_writer.hpp
// Bits behind a pointer.
#ifndef ALDIS_feature_writer_5d88bdcabc54b969
#define ALDIS_feature_writer_5d88bdcabc54b969

// ==== feature/forms.hpp
// Bits behind a pointer.
#ifndef ALDIS_feature_OF_forms_5d88bdcabc54b969
#define ALDIS_feature_OF_forms_5d88bdcabc54b969

#define ALDIS_DIGEST_OF_feature 0x5d88bdcabc54b969

// ==== feature/forms_json.hpp
// Bits behind a pointer.
#ifndef ALDIS_feature_OF_forms_json_5d88bdcabc54b969
#define ALDIS_feature_OF_forms_json_5d88bdcabc54b969

// ==== feature/forms_view.hpp
// Bits behind a pointer.
#ifndef ALDIS_feature_OF_forms_view_5d88bdcabc54b969
#define ALDIS_feature_OF_forms_view_5d88bdcabc54b969

// ==== feature/forms_writer.hpp
// Bits behind a pointer.
#ifndef ALDIS_feature_OF_forms_writer_5d88bdcabc54b969
#define ALDIS_feature_OF_forms_writer_5d88bdcabc54b969

// ==== feature/messages.hpp
// Bits behind a pointer.
#ifndef ALDIS_feature_OF_messages_5d88bdcabc54b969
#define ALDIS_feature_OF_messages_5d88bdcabc54b969

// ==== feature/message.hpp
// Bits behind a pointer.
#ifndef ALDIS_feature_OF_message_5d88bdcabc54b969
#define ALDIS_feature_OF_message_5d88bdcabc54b969

// [as in the base]

#include <vector>

namespace feature {
// [as in the base]
///
/// Layout: 0 words of data, 1 pointer
///   offset    size  field
///       *0       8  bits
struct Message {
    std::optional<std::vector<bool>> bits{};

// [as in the base]

inline constexpr aldis::lacks<0, 1> lacks_Message{{}, {{{8, 5}}}};
inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value);
// [as in the base]

inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value) {
    if (!in.bits(at.pointer(0), value.bits)) {
        return in.in_field("bits");
    }
    return true;
// [as in the base]

inline bool size_Message(aldis::segments::sizer& out, const Message& value) {
    if (!out.numbers(value.bits, 1)) {
        return out.in_field("bits");
    }
    return true;
// [as in the base]

inline void write_Message(aldis::segments::writer& out, std::byte* at, const Message& value) {
    std::memset(at, 0, 8);
    out.bits(at, value.bits);
}
// [as in the base]
struct message_of<Message> {
    static constexpr std::uint64_t data = 0;
    static constexpr std::uint64_t pointers = 1;
    static constexpr bool writes_unpaid = false;
// ==== feature/message_json.hpp
// Bits behind a pointer.
#ifndef ALDIS_feature_OF_message_json_5d88bdcabc54b969
#define ALDIS_feature_OF_message_json_5d88bdcabc54b969

// [as in the base]
    namespace as = aldis::json::as;
    if (value.bits.has_value()) {
        out.member(R"("bits":)");
        if (!as::list<as::boolean>::write(out, *value.bits)) {
            return out.in_field("bits");
        }
    }
// [as in the base]
    namespace as = aldis::json::as;
    static constexpr std::array<std::string_view, 1> names{{"bits"}};
    aldis::json::members<1, true> object;
// [as in the base]
        switch (object.field) {
            case 0: read = as::optional<as::list<as::boolean>>::read(in, value.bits); break;
        }
// [as in the base]
    if (!object.has(0)) {
        value.bits.reset();
    }
// ==== feature/message_view.hpp
// Bits behind a pointer.
#ifndef ALDIS_feature_OF_message_view_5d88bdcabc54b969
#define ALDIS_feature_OF_message_view_5d88bdcabc54b969

// [as in the base]

    [[nodiscard]] auto bits() const noexcept { return place_.follow<in_place::bits>(0); }

// [as in the base]

inline bool verify_Message(aldis::segments::verifier& in, const aldis::segments::body& at) {
    if (!in.bits(at.pointer(0))) {
        return in.in_field("bits");
    }
    return true;
// ==== feature/message_writer.hpp
// Bits behind a pointer.
#ifndef ALDIS_feature_OF_message_writer_5d88bdcabc54b969
#define ALDIS_feature_OF_message_writer_5d88bdcabc54b969

// [as in the base]

    void bits(std::optional<aldis::bits_view> values) const { place_.put<drafts::bits>(0, values); }
    auto bits(std::size_t count) const { return place_.put<drafts::bits>(0, count); }

// ==== feature_stream.hpp
// Bits behind a pointer.
#ifndef ALDIS_feature_stream_5d88bdcabc54b969
#define ALDIS_feature_stream_5d88bdcabc54b969

