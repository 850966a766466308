// ==== feature.hpp
// A record without bytes of its own.
#ifndef ALDIS_feature_32ec7dbc994d06f6
#define ALDIS_feature_32ec7dbc994d06f6

// ==== feature_json.hpp
// A record without bytes of its own.
#ifndef ALDIS_feature_json_32ec7dbc994d06f6
#define ALDIS_feature_json_32ec7dbc994d06f6

// ==== feature_view.hpp
// A record without bytes of its own.
#ifndef ALDIS_feature_view_32ec7dbc994d06f6
#define ALDIS_feature_view_32ec7dbc994d06f6

// ==== feature_writer.hpp
// A record without bytes of its own.
#ifndef ALDIS_feature_writer_32ec7dbc994d06f6
#define ALDIS_feature_writer_32ec7dbc994d06f6

// ==== feature/forms.hpp
// A record without bytes of its own.
#ifndef ALDIS_feature_OF_forms_32ec7dbc994d06f6
#define ALDIS_feature_OF_forms_32ec7dbc994d06f6

#define ALDIS_DIGEST_OF_feature 0x32ec7dbc994d06f6

// ==== feature/forms_json.hpp
// A record without bytes of its own.
#ifndef ALDIS_feature_OF_forms_json_32ec7dbc994d06f6
#define ALDIS_feature_OF_forms_json_32ec7dbc994d06f6

// ==== feature/forms_view.hpp
// A record without bytes of its own.
#ifndef ALDIS_feature_OF_forms_view_32ec7dbc994d06f6
#define ALDIS_feature_OF_forms_view_32ec7dbc994d06f6

// ==== feature/forms_writer.hpp
// A record without bytes of its own.
#ifndef ALDIS_feature_OF_forms_writer_32ec7dbc994d06f6
#define ALDIS_feature_OF_forms_writer_32ec7dbc994d06f6

// ==== feature/messages.hpp
// A record without bytes of its own.
#ifndef ALDIS_feature_OF_messages_32ec7dbc994d06f6
#define ALDIS_feature_OF_messages_32ec7dbc994d06f6

// ==== feature/message.hpp
// A record without bytes of its own.
#ifndef ALDIS_feature_OF_message_32ec7dbc994d06f6
#define ALDIS_feature_OF_message_32ec7dbc994d06f6

// [as in the base]
struct Message;
struct Message_size;

/// `Message.size`
struct Message_size {
    std::uint16_t width = 0;
    std::uint16_t height = 0;

    bool operator==(const Message_size&) const = default;
};

// [as in the base]
///   offset    size  field
///        0       2  size.width
///        2       2  size.height
struct Message {
    Message_size size{};

// [as in the base]

inline constexpr aldis::lacks<2, 0> lacks_Message{{{{2, 4}, {4, 4}}}, {}};
inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value);
// [as in the base]
    const aldis::segments::data_of<8> data(at);
    value.size.width = data.get<std::uint16_t>(0);
    value.size.height = data.get<std::uint16_t>(2);
    return true;
// [as in the base]
    std::memset(at, 0, 8);
    aldis::store<aldis::little>(at, value.size.width);
    aldis::store<aldis::little>(at + 2, value.size.height);
}
// ==== feature/message_json.hpp
// A record without bytes of its own.
#ifndef ALDIS_feature_OF_message_json_32ec7dbc994d06f6
#define ALDIS_feature_OF_message_json_32ec7dbc994d06f6

// [as in the base]
bool read_json(aldis::json::reader<P>& in, Message& value);
template <aldis::json::policy P>
bool write_members(aldis::json::writer<P>& out, const Message_size& value);
template <aldis::json::policy P>
bool write_json(aldis::json::writer<P>& out, const Message_size& value);
template <aldis::json::policy P>
bool read_json(aldis::json::reader<P>& in, Message_size& value);

// [as in the base]
    namespace as = aldis::json::as;
    out.member(R"("size":)");
    if (!as::record::write(out, value.size)) {
        return out.in_field("size");
    }
// [as in the base]
    namespace as = aldis::json::as;
    static constexpr std::array<std::string_view, 1> names{{"size"}};
    aldis::json::members<1, true> object;
// [as in the base]
        switch (object.field) {
            case 0: read = as::record::read(in, value.size); break;
        }
        if (!read) {
            return in.in_field(names[object.field]);
        }
    }
    if (in.failed()) {
        return false;
    }
    if (!object.has(0)) {
        value.size = {};
    }
    return in.close();
}

template <aldis::json::policy P>
bool write_members(aldis::json::writer<P>& out, const Message_size& value) {
    namespace as = aldis::json::as;
    out.member(R"("width":)");
    if (!as::integer::write(out, value.width)) {
        return out.in_field("width");
    }
    out.member(R"("height":)");
    if (!as::integer::write(out, value.height)) {
        return out.in_field("height");
    }
    return true;
}

template <aldis::json::policy P>
bool write_json(aldis::json::writer<P>& out, const Message_size& value) {
    const auto object = out.object();
    return write_members(out, value);
}

template <aldis::json::policy P>
bool read_json(aldis::json::reader<P>& in, Message_size& value) {
    namespace as = aldis::json::as;
    static constexpr std::array<std::string_view, 2> names{{"width", "height"}};
    aldis::json::members<2, true> object;
    if (!in.open()) {
        return false;
    }
    while (in.next(object, names)) {
        bool read = false;
        switch (object.field) {
            case 0: read = as::integer::read(in, value.width); break;
            case 1: read = as::integer::read(in, value.height); break;
        }
// [as in the base]
    if (!object.has(0)) {
        value.width = 0;
    }
    if (!object.has(1)) {
        value.height = 0;
    }
// ==== feature/message_view.hpp
// A record without bytes of its own.
#ifndef ALDIS_feature_OF_message_view_32ec7dbc994d06f6
#define ALDIS_feature_OF_message_view_32ec7dbc994d06f6

// [as in the base]

class Message_size;
class Message;

/// `Message.size`
class Message_size {
public:
    /// All of its fields are missing.
    Message_size() = default;
    explicit Message_size(const aldis::segments::verified& place) noexcept : place_(place) {}

    [[nodiscard]] std::uint16_t width() const noexcept { return place_.get<std::uint16_t>(0); }
    [[nodiscard]] std::uint16_t height() const noexcept { return place_.get<std::uint16_t>(2); }

private:
    aldis::segments::verified place_;
};

/// `Message`
// [as in the base]

    [[nodiscard]] view::Message_size size() const noexcept { return view::Message_size(place_); }

// ==== feature/message_writer.hpp
// A record without bytes of its own.
#ifndef ALDIS_feature_OF_message_writer_32ec7dbc994d06f6
#define ALDIS_feature_OF_message_writer_32ec7dbc994d06f6

// [as in the base]

class Message_size;
class Message;

/// `Message.size`
class Message_size {
public:
    /// Begun by `write`, or by the writer of the record that holds it.
    explicit Message_size(const aldis::segments::draft_place& place) noexcept : place_(place) {}

    void width(std::uint16_t value) const { place_.set<std::uint16_t>(0, value); }
    void height(std::uint16_t value) const { place_.set<std::uint16_t>(2, value); }

private:
    aldis::segments::draft_place place_;
};

/// `Message`
// [as in the base]

    writer::Message_size size() const { return writer::Message_size(place_); }

// ==== feature/message_size.hpp
// Generated by aldis 0.0.0 from schema f8f414eebe8e8ba7. Do not edit.
// A record without bytes of its own.
#ifndef ALDIS_feature_OF_message_size_32ec7dbc994d06f6
#define ALDIS_feature_OF_message_size_32ec7dbc994d06f6

#include "message.hpp"

#endif
// ==== feature/message_size_json.hpp
// Generated by aldis 0.0.0 from schema f8f414eebe8e8ba7. Do not edit.
// A record without bytes of its own.
#ifndef ALDIS_feature_OF_message_size_json_32ec7dbc994d06f6
#define ALDIS_feature_OF_message_size_json_32ec7dbc994d06f6

#include "message_json.hpp"

#endif
// ==== feature/message_size_view.hpp
// Generated by aldis 0.0.0 from schema f8f414eebe8e8ba7. Do not edit.
// A record without bytes of its own.
#ifndef ALDIS_feature_OF_message_size_view_32ec7dbc994d06f6
#define ALDIS_feature_OF_message_size_view_32ec7dbc994d06f6

#include "message_view.hpp"

#endif
// ==== feature/message_size_writer.hpp
// Generated by aldis 0.0.0 from schema f8f414eebe8e8ba7. Do not edit.
// A record without bytes of its own.
#ifndef ALDIS_feature_OF_message_size_writer_32ec7dbc994d06f6
#define ALDIS_feature_OF_message_size_writer_32ec7dbc994d06f6

#include "message_writer.hpp"

#endif
// ==== feature_stream.hpp
// A record without bytes of its own.
#ifndef ALDIS_feature_stream_32ec7dbc994d06f6
#define ALDIS_feature_stream_32ec7dbc994d06f6

