// ==== feature.hpp
// A default, by which what is stored differs.
#pragma once
// ==== feature_json.hpp
// A default, by which what is stored differs.
#pragma once
// ==== feature_view.hpp
// A default, by which what is stored differs.
#pragma once
// ==== feature_writer.hpp
// A default, by which what is stored differs.
#pragma once
// ==== feature/forms.hpp
// A default, by which what is stored differs.
#pragma once
// ==== feature/forms_json.hpp
// A default, by which what is stored differs.
#pragma once
// ==== feature/forms_view.hpp
// A default, by which what is stored differs.
#pragma once
// ==== feature/forms_writer.hpp
// A default, by which what is stored differs.
#pragma once
// ==== feature/messages.hpp
// A default, by which what is stored differs.
#pragma once
// ==== feature/message.hpp
// A default, by which what is stored differs.
#pragma once
// [as in the base]
///   offset    size  field
///        0       2  size
struct Message {
    std::int16_t size = 5;

// [as in the base]
inline constexpr aldis::lacks<1, 0> lacks_Message{
    {{{2, 4}}}, {}};
inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value);
// [as in the base]
    const aldis::segments::data_of<8> data(at);
    value.size = data.get<std::int16_t>(0, 5);
    return true;
// [as in the base]
    std::memset(at, 0, 8);
    aldis::segments::store_apart<std::int16_t>(at, value.size, 5);
}
// ==== feature/message_json.hpp
// A default, by which what is stored differs.
#pragma once
// [as in the base]
bool write_members(aldis::json::writer<P>& out, const Message& value) {
    out.member(R"("size":)");
    if (!out.integer(value.size)) {
        return out.in_field("size");
    }
// [as in the base]
bool read_json(aldis::json::reader<P>& in, Message& value) {
    static constexpr std::array<std::string_view, 1> names{{"size"}};
    aldis::json::members<1> object;
// [as in the base]
        switch (object.field) {
            case 0: read = in.integer(value.size); break;
        }
// [as in the base]
    if (!object.has(0)) {
        value.size = 5;
    }
// ==== feature/message_view.hpp
// A default, by which what is stored differs.
#pragma once
// [as in the base]

    [[nodiscard]] std::int16_t size() const noexcept { return place_.get<std::int16_t>(0, 5); }

// ==== feature/message_writer.hpp
// A default, by which what is stored differs.
#pragma once
// [as in the base]

    void size(std::int16_t value) const { place_.set<std::int16_t>(0, value, 5); }

// ==== feature_stream.hpp
// A default, by which what is stored differs.
#pragma once
