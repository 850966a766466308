// ==== feature.hpp
// A choice of a number and of nothing.
#ifndef ALDIS_feature_c931c8153b77de93
#define ALDIS_feature_c931c8153b77de93

// ==== feature_json.hpp
// A choice of a number and of nothing.
#ifndef ALDIS_feature_json_c931c8153b77de93
#define ALDIS_feature_json_c931c8153b77de93

// ==== feature_view.hpp
// A choice of a number and of nothing.
#ifndef ALDIS_feature_view_c931c8153b77de93
#define ALDIS_feature_view_c931c8153b77de93

// ==== feature_writer.hpp
// A choice of a number and of nothing.
#ifndef ALDIS_feature_writer_c931c8153b77de93
#define ALDIS_feature_writer_c931c8153b77de93

// ==== feature/forms.hpp
// A choice of a number and of nothing.
#ifndef ALDIS_feature_OF_forms_c931c8153b77de93
#define ALDIS_feature_OF_forms_c931c8153b77de93

#define ALDIS_DIGEST_OF_feature 0xc931c8153b77de93

// ==== feature/forms_json.hpp
// A choice of a number and of nothing.
#ifndef ALDIS_feature_OF_forms_json_c931c8153b77de93
#define ALDIS_feature_OF_forms_json_c931c8153b77de93

// ==== feature/forms_view.hpp
// A choice of a number and of nothing.
#ifndef ALDIS_feature_OF_forms_view_c931c8153b77de93
#define ALDIS_feature_OF_forms_view_c931c8153b77de93

// ==== feature/forms_writer.hpp
// A choice of a number and of nothing.
#ifndef ALDIS_feature_OF_forms_writer_c931c8153b77de93
#define ALDIS_feature_OF_forms_writer_c931c8153b77de93

// ==== feature/messages.hpp
// A choice of a number and of nothing.
#ifndef ALDIS_feature_OF_messages_c931c8153b77de93
#define ALDIS_feature_OF_messages_c931c8153b77de93

// ==== feature/message.hpp
// A choice of a number and of nothing.
#ifndef ALDIS_feature_OF_message_c931c8153b77de93
#define ALDIS_feature_OF_message_c931c8153b77de93

// [as in the base]

#include <variant>

namespace feature {
// [as in the base]

/// The arms of `Message`. Any other number is an arm of a newer schema.
enum class Message_choice_tag : std::uint16_t {
    amount = 0,
    nothing = 1,
};

/// `Message`
using Message_choice = aldis::choice<Message_choice_tag,
    aldis::arm<Message_choice_tag::amount, std::int64_t>,
    aldis::arm<Message_choice_tag::nothing, std::monostate>>;

/// `Message`
///
/// Layout: 2 words of data, 0 pointers
///   offset    size  field
///        8       2  choice, a union: which arm
///        0       8  choice.amount (arm 0)
///                0  choice.nothing (arm 1)
struct Message {
    Message_choice choice{};

// [as in the base]

inline constexpr aldis::lacks<2, 0> lacks_Message{{{{8, 4}, {10, 4}}}, {}};
inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value);
// [as in the base]
    Message& value) {
    const aldis::segments::data_of<16> data(at);
    switch (const auto tag = data.get<Message_choice_tag>(8); tag) {
        case Message_choice::tag::amount:
            value.choice.present<Message_choice::tag::amount>() = data.get<std::int64_t>(0);
            break;
        case Message_choice::tag::nothing:
            value.choice.present<Message_choice::tag::nothing>();
            break;
        default:
            value.choice.set_unknown(tag);
            break;
    }
    return true;
// [as in the base]
inline void write_Message([[maybe_unused]] aldis::segments::writer& out, std::byte* at, const Message& value) {
    std::memset(at, 0, 16);
    aldis::store<aldis::little>(at + 8, value.choice.which());
    switch (value.choice.which()) {
        case Message_choice::tag::amount:
            aldis::store<aldis::little>(at, *value.choice.get<Message_choice::tag::amount>());
            break;
        default:
            break;
    }
}
// [as in the base]
struct message_of<Message> {
    static constexpr std::uint64_t data = 2;
    static constexpr std::uint64_t pointers = 0;
// ==== feature/message_json.hpp
// A choice of a number and of nothing.
#ifndef ALDIS_feature_OF_message_json_c931c8153b77de93
#define ALDIS_feature_OF_message_json_c931c8153b77de93

// [as in the base]
bool read_json(aldis::json::reader<P>& in, Message& value);
template <aldis::json::policy P>
bool write_members(aldis::json::writer<P>& out, const Message_choice& value);
template <aldis::json::policy P>
bool write_json(aldis::json::writer<P>& out, const Message_choice& value);
template <aldis::json::policy P>
bool read_json(aldis::json::reader<P>& in, Message_choice& value);

// [as in the base]
    namespace as = aldis::json::as;
    if (!write_members(out, value.choice)) {
        return false;
    }
// [as in the base]
    namespace as = aldis::json::as;
    static constexpr std::array<std::string_view, 2> names{{"amount", "nothing"}};
    aldis::json::members<2, true> object;
    bool given = false;
    if (!in.open()) {
// [as in the base]
        switch (object.field) {
            case 0: read = in.claim(given)
                && as::wide_integer::read(in, value.choice.present<Message_choice::tag::amount>()); break;
            case 1: read = in.claim(given)
                && as::nothing::read(in, value.choice.present<Message_choice::tag::nothing>()); break;
        }
// [as in the base]
    }
    if (!given) {
        value.choice = {};
    }
// [as in the base]

template <aldis::json::policy P>
bool write_members(aldis::json::writer<P>& out, const Message_choice& value) {
    namespace as = aldis::json::as;
    switch (value.which()) {
        case Message_choice::tag::amount:
            out.member(R"("amount":)");
            if (!as::wide_integer::write(out, *value.get<Message_choice::tag::amount>())) {
                return out.in_field("amount");
            }
            break;
        case Message_choice::tag::nothing:
            out.member(R"("nothing":)");
            out.null();
            break;
        default:
            break;
    }
    return true;
}

template <aldis::json::policy P>
bool write_json(aldis::json::writer<P>& out, const Message_choice& value) {
    const auto object = out.object();
    return write_members(out, value);
}

template <aldis::json::policy P>
bool read_json(aldis::json::reader<P>& in, Message_choice& value) {
    namespace as = aldis::json::as;
    static constexpr std::array<std::string_view, 2> names{{"amount", "nothing"}};
    aldis::json::members<2, true> object;
    bool given = false;
    if (!in.expect('{')) {
        return false;
    }
    while (in.next(object, names)) {
        bool read = false;
        switch (object.field) {
            case 0: read = in.claim(given)
                && as::wide_integer::read(in, value.present<Message_choice::tag::amount>()); break;
            case 1: read = in.claim(given)
                && as::nothing::read(in, value.present<Message_choice::tag::nothing>()); break;
        }
        if (!read) {
            return in.in_field(names[object.field]);
        }
    }
    if (in.failed()) {
        return false;
    }
    if (!given) {
        value = {};
    }
    return true;
}

}  // namespace feature
// ==== feature/message_view.hpp
// A choice of a number and of nothing.
#ifndef ALDIS_feature_OF_message_view_c931c8153b77de93
#define ALDIS_feature_OF_message_view_c931c8153b77de93

// [as in the base]
/// `Message`
using Message_choice = in_place::choice<Message_choice_tag, 8,
    aldis::arm<Message_choice_tag::amount, in_place::number<std::int64_t, 0>>,
    aldis::arm<Message_choice_tag::nothing, in_place::none>>;

/// `Message`
class Message {
// [as in the base]

    [[nodiscard]] view::Message_choice choice() const noexcept { return view::Message_choice(place_); }

// ==== feature/message_writer.hpp
// A choice of a number and of nothing.
#ifndef ALDIS_feature_OF_message_writer_c931c8153b77de93
#define ALDIS_feature_OF_message_writer_c931c8153b77de93

// [as in the base]
/// `Message`
using Message_choice = drafts::choice<Message_choice_tag, 8,
    drafts::shared<drafts::used<0, 0xffffffffffffffff>>,
    aldis::arm<Message_choice_tag::amount, drafts::number<std::int64_t, 0>>,
    aldis::arm<Message_choice_tag::nothing, drafts::none>>;

/// `Message`
class Message {
// [as in the base]

    writer::Message_choice choice() const { return writer::Message_choice(place_); }

// ==== feature/message_choice.hpp
// Generated by aldis 0.0.0 from schema b558d65938015fb5. Do not edit.
// A choice of a number and of nothing.
#ifndef ALDIS_feature_OF_message_choice_c931c8153b77de93
#define ALDIS_feature_OF_message_choice_c931c8153b77de93

#include "message.hpp"

#endif
// ==== feature/message_choice_json.hpp
// Generated by aldis 0.0.0 from schema b558d65938015fb5. Do not edit.
// A choice of a number and of nothing.
#ifndef ALDIS_feature_OF_message_choice_json_c931c8153b77de93
#define ALDIS_feature_OF_message_choice_json_c931c8153b77de93

#include "message_json.hpp"

#endif
// ==== feature/message_choice_view.hpp
// Generated by aldis 0.0.0 from schema b558d65938015fb5. Do not edit.
// A choice of a number and of nothing.
#ifndef ALDIS_feature_OF_message_choice_view_c931c8153b77de93
#define ALDIS_feature_OF_message_choice_view_c931c8153b77de93

#include "message_view.hpp"

#endif
// ==== feature/message_choice_writer.hpp
// Generated by aldis 0.0.0 from schema b558d65938015fb5. Do not edit.
// A choice of a number and of nothing.
#ifndef ALDIS_feature_OF_message_choice_writer_c931c8153b77de93
#define ALDIS_feature_OF_message_choice_writer_c931c8153b77de93

#include "message_writer.hpp"

#endif
// ==== feature_stream.hpp
// A choice of a number and of nothing.
#ifndef ALDIS_feature_stream_c931c8153b77de93
#define ALDIS_feature_stream_c931c8153b77de93

