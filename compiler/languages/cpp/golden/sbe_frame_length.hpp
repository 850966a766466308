// ==== feature.hpp
#ifndef ALDIS_feature_c16d3b20bdfb8cad
#define ALDIS_feature_c16d3b20bdfb8cad

// ==== feature_json.hpp
#ifndef ALDIS_feature_json_c16d3b20bdfb8cad
#define ALDIS_feature_json_c16d3b20bdfb8cad

// ==== feature_view.hpp
#ifndef ALDIS_feature_view_c16d3b20bdfb8cad
#define ALDIS_feature_view_c16d3b20bdfb8cad

// ==== feature_writer.hpp
#ifndef ALDIS_feature_writer_c16d3b20bdfb8cad
#define ALDIS_feature_writer_c16d3b20bdfb8cad

// ==== feature/forms.hpp
#ifndef ALDIS_feature_OF_forms_c16d3b20bdfb8cad
#define ALDIS_feature_OF_forms_c16d3b20bdfb8cad

// ==== feature/forms_json.hpp
#ifndef ALDIS_feature_OF_forms_json_c16d3b20bdfb8cad
#define ALDIS_feature_OF_forms_json_c16d3b20bdfb8cad

// ==== feature/forms_view.hpp
#ifndef ALDIS_feature_OF_forms_view_c16d3b20bdfb8cad
#define ALDIS_feature_OF_forms_view_c16d3b20bdfb8cad

// ==== feature/forms_writer.hpp
#ifndef ALDIS_feature_OF_forms_writer_c16d3b20bdfb8cad
#define ALDIS_feature_OF_forms_writer_c16d3b20bdfb8cad

// [as in the base]
    draft.begin(wire_sbe::writer_of<T>::head_size, wire_sbe::writer_of<T>::seal,
        aldis::detail::refusal<wire_sbe::message_of<T>, T>, wire_sbe::writer_of<T>::longest);
    return typename wire_sbe::writer_of<T>::type(draft);
// ==== feature/messages.hpp
#ifndef ALDIS_feature_OF_messages_c16d3b20bdfb8cad
#define ALDIS_feature_OF_messages_c16d3b20bdfb8cad

// [as in the base]
inline aldis::result<message_id> identify(std::span<const std::byte> in) {
    if (in.size() < 10) {
        return aldis::error{aldis::code::truncated, 0, {}};
    }
    if (aldis::load<std::uint16_t, aldis::little>(in.data() + 8) != 1) {
        return aldis::error{aldis::code::unknown_message, 8, {}};
    }
    switch (std::uint64_t{aldis::load<std::uint16_t, aldis::little>(in.data() + 6)}) {
        case 1: return message_id::Message;
        default: return aldis::error{aldis::code::unknown_message, 6, {}};
    }
// ==== feature/message.hpp
#ifndef ALDIS_feature_OF_message_c16d3b20bdfb8cad
#define ALDIS_feature_OF_message_c16d3b20bdfb8cad

// [as in the base]
    static bool size(aldis::sizer& out, const Message& value) {
        out.add(12);
        return size_Message(out, value);
// [as in the base]
    static void write(std::byte* at, const Message& value, std::uint64_t total) {
        aldis::store<byte_order>(at, static_cast<std::uint32_t>(total));
        aldis::store<byte_order>(at + 4, std::uint16_t{4});
        aldis::store<byte_order>(at + 6, std::uint16_t{1});
        aldis::store<byte_order>(at + 8, std::uint16_t{1});
        aldis::store<byte_order>(at + 10, std::uint16_t{0});
        write_Message(at + 12, value, at + total);
    }
// [as in the base]
        const std::byte* const head = in.begin();
        if (!in.need_head(head, 12,
            {{0, 4, "messageLength"}, {4, 6, "blockLength"}, {6, 8, "templateId"}, {8, 10, "schemaId"},
            {10, 12, "version"}})) {
            return nullptr;
        }
        const std::uint64_t extent = reader::load<std::uint16_t>(head + 4);
        if (reader::load<std::uint16_t>(head + 6) != 1) {
            return in.fail_type(head + 6);
        }
        if (reader::load<std::uint16_t>(head + 8) != 1) {
            return in.fail_type(head + 8);
        }
        const std::byte* const end = read_Message(in, head + 12, extent, value);
        return end;
// ==== feature/message_json.hpp
#ifndef ALDIS_feature_OF_message_json_c16d3b20bdfb8cad
#define ALDIS_feature_OF_message_json_c16d3b20bdfb8cad

// ==== feature/message_view.hpp
#ifndef ALDIS_feature_OF_message_view_c16d3b20bdfb8cad
#define ALDIS_feature_OF_message_view_c16d3b20bdfb8cad

// [as in the base]
        const std::byte* const head = in.begin();
        if (!in.need_head(head, 12,
            {{0, 4, "messageLength"}, {4, 6, "blockLength"}, {6, 8, "templateId"}, {8, 10, "schemaId"},
            {10, 12, "version"}})) {
            return nullptr;
        }
        const std::uint64_t extent = reader::load<std::uint16_t>(head + 4);
        if (reader::load<std::uint16_t>(head + 6) != 1) {
            return in.fail_type(head + 6);
        }
        if (reader::load<std::uint16_t>(head + 8) != 1) {
            return in.fail_type(head + 8);
        }
        record = {head + 12, head + 12, extent, 0};
        const std::byte* const end = verify_Message(in, head + 12, extent);
        return end;
// ==== feature/message_writer.hpp
#ifndef ALDIS_feature_OF_message_writer_c16d3b20bdfb8cad
#define ALDIS_feature_OF_message_writer_c16d3b20bdfb8cad

// [as in the base]
    using type = writer::Message;
    static constexpr std::size_t head_size = 12;
    static constexpr std::uint64_t longest = 4294967295LL;
    static void seal(std::byte* at, std::uint64_t total) {
        aldis::store<byte_order>(at, static_cast<std::uint32_t>(total));
        aldis::store<byte_order>(at + 4, std::uint16_t{4});
        aldis::store<byte_order>(at + 6, std::uint16_t{1});
        aldis::store<byte_order>(at + 8, std::uint16_t{1});
        aldis::store<byte_order>(at + 10, std::uint16_t{0});
    }
// ==== feature_stream.hpp
#ifndef ALDIS_feature_stream_c16d3b20bdfb8cad
#define ALDIS_feature_stream_c16d3b20bdfb8cad

