// ==== feature.hpp
#ifndef ALDIS_feature_01dbc6f2fe0fef31
#define ALDIS_feature_01dbc6f2fe0fef31

// ==== feature_json.hpp
#ifndef ALDIS_feature_json_01dbc6f2fe0fef31
#define ALDIS_feature_json_01dbc6f2fe0fef31

// ==== feature_view.hpp
#ifndef ALDIS_feature_view_01dbc6f2fe0fef31
#define ALDIS_feature_view_01dbc6f2fe0fef31

// ==== feature_writer.hpp
#ifndef ALDIS_feature_writer_01dbc6f2fe0fef31
#define ALDIS_feature_writer_01dbc6f2fe0fef31

// ==== feature/forms.hpp
#ifndef ALDIS_feature_OF_forms_01dbc6f2fe0fef31
#define ALDIS_feature_OF_forms_01dbc6f2fe0fef31

// [as in the base]

inline constexpr std::endian byte_order = aldis::big;
using reader = aldis::reader<byte_order, aldis::watched{.budget = false, .depth = false}>;
// ==== feature/forms_json.hpp
#ifndef ALDIS_feature_OF_forms_json_01dbc6f2fe0fef31
#define ALDIS_feature_OF_forms_json_01dbc6f2fe0fef31

// ==== feature/forms_view.hpp
#ifndef ALDIS_feature_OF_forms_view_01dbc6f2fe0fef31
#define ALDIS_feature_OF_forms_view_01dbc6f2fe0fef31

// [as in the base]
namespace view {
using in_place = aldis::in_place<aldis::big>;
}  // namespace view
// ==== feature/forms_writer.hpp
#ifndef ALDIS_feature_OF_forms_writer_01dbc6f2fe0fef31
#define ALDIS_feature_OF_forms_writer_01dbc6f2fe0fef31

// ==== feature/messages.hpp
#ifndef ALDIS_feature_OF_messages_01dbc6f2fe0fef31
#define ALDIS_feature_OF_messages_01dbc6f2fe0fef31

// [as in the base]
    }
    if (aldis::load<std::uint16_t, aldis::big>(in.data() + 4) != 1) {
        return aldis::error{aldis::code::unknown_message, 4, {}};
    }
    switch (std::uint64_t{aldis::load<std::uint16_t, aldis::big>(in.data() + 2)}) {
        case 1: return message_id::Message;
// ==== feature/message.hpp
#ifndef ALDIS_feature_OF_message_01dbc6f2fe0fef31
#define ALDIS_feature_OF_message_01dbc6f2fe0fef31

// ==== feature/message_json.hpp
#ifndef ALDIS_feature_OF_message_json_01dbc6f2fe0fef31
#define ALDIS_feature_OF_message_json_01dbc6f2fe0fef31

// ==== feature/message_view.hpp
#ifndef ALDIS_feature_OF_message_view_01dbc6f2fe0fef31
#define ALDIS_feature_OF_message_view_01dbc6f2fe0fef31

// ==== feature/message_writer.hpp
#ifndef ALDIS_feature_OF_message_writer_01dbc6f2fe0fef31
#define ALDIS_feature_OF_message_writer_01dbc6f2fe0fef31

// ==== feature_stream.hpp
#ifndef ALDIS_feature_stream_01dbc6f2fe0fef31
#define ALDIS_feature_stream_01dbc6f2fe0fef31

