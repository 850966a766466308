// ==== feature.hpp
// Bytes that may be null, in place, in the Final form.
#ifndef ALDIS_feature_c5dd7a5efb050d2d
#define ALDIS_feature_c5dd7a5efb050d2d

// ==== feature_json.hpp
// Bytes that may be null, in place, in the Final form.
#ifndef ALDIS_feature_json_c5dd7a5efb050d2d
#define ALDIS_feature_json_c5dd7a5efb050d2d

// ==== feature_view.hpp
// Bytes that may be null, in place, in the Final form.
#ifndef ALDIS_feature_view_c5dd7a5efb050d2d
#define ALDIS_feature_view_c5dd7a5efb050d2d

// ==== feature_writer.hpp
// Bytes that may be null, in place, in the Final form.
#ifndef ALDIS_feature_writer_c5dd7a5efb050d2d
#define ALDIS_feature_writer_c5dd7a5efb050d2d

// ==== feature/forms.hpp
// Bytes that may be null, in place, in the Final form.
#ifndef ALDIS_feature_OF_forms_c5dd7a5efb050d2d
#define ALDIS_feature_OF_forms_c5dd7a5efb050d2d

#define ALDIS_DIGEST_OF_feature 0xc5dd7a5efb050d2d

// ==== feature/forms_json.hpp
// Bytes that may be null, in place, in the Final form.
#ifndef ALDIS_feature_OF_forms_json_c5dd7a5efb050d2d
#define ALDIS_feature_OF_forms_json_c5dd7a5efb050d2d

// ==== feature/forms_view.hpp
// Bytes that may be null, in place, in the Final form.
#ifndef ALDIS_feature_OF_forms_view_c5dd7a5efb050d2d
#define ALDIS_feature_OF_forms_view_c5dd7a5efb050d2d

// ==== feature/forms_writer.hpp
// Bytes that may be null, in place, in the Final form.
#ifndef ALDIS_feature_OF_forms_writer_c5dd7a5efb050d2d
#define ALDIS_feature_OF_forms_writer_c5dd7a5efb050d2d

// ==== feature/messages.hpp
// Bytes that may be null, in place, in the Final form.
#ifndef ALDIS_feature_OF_messages_c5dd7a5efb050d2d
#define ALDIS_feature_OF_messages_c5dd7a5efb050d2d

// ==== feature/message.hpp
// Bytes that may be null, in place, in the Final form.
#ifndef ALDIS_feature_OF_message_c5dd7a5efb050d2d
#define ALDIS_feature_OF_message_c5dd7a5efb050d2d

// [as in the base]

#include <vector>

namespace feature {
// [as in the base]
///   offset    size  field
///    after  varies  proof
struct Message {
    std::optional<std::vector<std::byte>> proof{};

// [as in the base]

inline const std::byte* read_Message(auto& in, const std::byte* at, Message& value);
// [as in the base]
    }
    // proof
    if (!in.need(at, 1, 0)) {
        return in.in_field("proof");
    }
    if (*at++ == std::byte{0}) {
        value.proof.reset();
    } else {
        auto& held = aldis::present(value.proof);
        at = aldis::take_counted<std::uint32_t>(in, at, held, "count");
        if (at == nullptr) {
            return in.in_field("proof");
        }
    }
    in.leave();
// [as in the base]

inline bool size_Message(aldis::sizer& out, const Message& value) {
    out.add(1);
    if (value.proof.has_value()) {
        out.add(4);
        out.add((*value.proof).size());
    }
    return true;
// [as in the base]

inline std::byte* write_Message(std::byte* at, const Message& value, const std::byte* end) {
    std::byte* next = at;
    // proof
    aldis::store<byte_order>(next, value.proof.has_value());
    ++next;
    if (value.proof.has_value()) {
        aldis::store<byte_order>(next, static_cast<std::uint32_t>((*value.proof).size()));
        next = aldis::store_bytes(next + 4, *value.proof, end);
    }
    return next;
}
// ==== feature/message_json.hpp
// Bytes that may be null, in place, in the Final form.
#ifndef ALDIS_feature_OF_message_json_c5dd7a5efb050d2d
#define ALDIS_feature_OF_message_json_c5dd7a5efb050d2d

// [as in the base]
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"proof":)", "proof", aldis::json::write_as<as::optional<as::bytes>, decltype(value.proof)>}};
    const void* const places[]{&value.proof};
    return out.write_members(members, places);
// [as in the base]
    static constexpr aldis::json::read_member<P> members[]{
        {"proof", "proof", aldis::json::read_as<as::optional<as::bytes>, decltype(value.proof)>,
            aldis::json::emptied<decltype(value.proof)>}};
    const void* const places[]{&value.proof};
    std::uint64_t seen[1]{};
// ==== feature/message_view.hpp
// Bytes that may be null, in place, in the Final form.
#ifndef ALDIS_feature_OF_message_view_c5dd7a5efb050d2d
#define ALDIS_feature_OF_message_view_c5dd7a5efb050d2d

// [as in the base]
    /// All of its fields are empty, zero or missing.
    Message() noexcept : Message(aldis::nowhere<1>()) {}
    explicit Message(const aldis::verified& place) noexcept : place_(place) {}

    [[nodiscard]] std::optional<std::span<const std::byte>> proof() const noexcept {
        return in_place::maybe<in_place::bytes<std::uint32_t>>::get(place_);
    }

// [as in the base]
    friend const std::byte* end_of(const Message& record) noexcept {
        return in_place::maybe<in_place::bytes<std::uint32_t>>::skip(record.place_);
    }
// [as in the base]
    }
    // proof
    if (!in.need(at, 1, 0)) {
        return in.in_field("proof");
    }
    if (*at++ != std::byte{0}) {
        at = aldis::pass_counted<std::uint32_t>(in, at, "count");
        if (at == nullptr) {
            return in.in_field("proof");
        }
    }
    in.leave();
// ==== feature/message_writer.hpp
// Bytes that may be null, in place, in the Final form.
#ifndef ALDIS_feature_OF_message_writer_c5dd7a5efb050d2d
#define ALDIS_feature_OF_message_writer_c5dd7a5efb050d2d

// [as in the base]

    bool proof(const std::optional<std::vector<std::byte>>& value) {
        aldis::draft& out = *draft_;
        if (!out.at_part(place_, 0)) {
            return out.refuse_field("proof");
        }
        out.add(1);
        if (value.has_value()) {
            out.add(4);
            out.add((*value).size());
        }
        std::byte* next = out.append_measured();
        if (next == nullptr) {
            return out.refuse_field("proof");
        }
        const std::byte* const end = out.end();
        aldis::store<byte_order>(next, value.has_value());
        ++next;
        if (value.has_value()) {
            aldis::store<byte_order>(next, static_cast<std::uint32_t>((*value).size()));
            next = aldis::store_bytes(next + 4, *value, end);
        }
        return out.next_step();
    }

private:
    static constexpr std::array<aldis::draft_step, 1> steps{{{}}};
    aldis::draft* draft_;
// ==== feature_stream.hpp
// Bytes that may be null, in place, in the Final form.
#ifndef ALDIS_feature_stream_c5dd7a5efb050d2d
#define ALDIS_feature_stream_c5dd7a5efb050d2d

