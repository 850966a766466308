// ==== feature.hpp
// Numbers in place, in the Final form.
#ifndef ALDIS_feature_9cbd562d3e2e4880
#define ALDIS_feature_9cbd562d3e2e4880

// ==== feature_json.hpp
// Numbers in place, in the Final form.
#ifndef ALDIS_feature_json_9cbd562d3e2e4880
#define ALDIS_feature_json_9cbd562d3e2e4880

// ==== feature_view.hpp
// Numbers in place, in the Final form.
#ifndef ALDIS_feature_view_9cbd562d3e2e4880
#define ALDIS_feature_view_9cbd562d3e2e4880

// ==== feature_writer.hpp
// Numbers in place, in the Final form.
#ifndef ALDIS_feature_writer_9cbd562d3e2e4880
#define ALDIS_feature_writer_9cbd562d3e2e4880

// ==== feature/forms.hpp
// Numbers in place, in the Final form.
#ifndef ALDIS_feature_OF_forms_9cbd562d3e2e4880
#define ALDIS_feature_OF_forms_9cbd562d3e2e4880

#define ALDIS_DIGEST_OF_feature 0x9cbd562d3e2e4880

// ==== feature/forms_json.hpp
// Numbers in place, in the Final form.
#ifndef ALDIS_feature_OF_forms_json_9cbd562d3e2e4880
#define ALDIS_feature_OF_forms_json_9cbd562d3e2e4880

// ==== feature/forms_view.hpp
// Numbers in place, in the Final form.
#ifndef ALDIS_feature_OF_forms_view_9cbd562d3e2e4880
#define ALDIS_feature_OF_forms_view_9cbd562d3e2e4880

// ==== feature/forms_writer.hpp
// Numbers in place, in the Final form.
#ifndef ALDIS_feature_OF_forms_writer_9cbd562d3e2e4880
#define ALDIS_feature_OF_forms_writer_9cbd562d3e2e4880

// ==== feature/messages.hpp
// Numbers in place, in the Final form.
#ifndef ALDIS_feature_OF_messages_9cbd562d3e2e4880
#define ALDIS_feature_OF_messages_9cbd562d3e2e4880

// ==== feature/message.hpp
// Numbers in place, in the Final form.
#ifndef ALDIS_feature_OF_message_9cbd562d3e2e4880
#define ALDIS_feature_OF_message_9cbd562d3e2e4880

// [as in the base]

#include <vector>

namespace feature {
// [as in the base]
///   offset    size  field
///    after  varies  sizes
struct Message {
    std::vector<std::int32_t> sizes{};

// [as in the base]

inline const std::byte* read_Message(auto& in, const std::byte* at, Message& value);
// [as in the base]
    }
    // sizes
    {
        const std::byte* const head = at;
        if (!in.need_head(at, 4, {{0, 4, "count"}})) {
            return in.in_field("sizes");
        }
        const std::uint64_t count = reader::load<std::uint32_t>(at);
        at += 4;
        if (!in.fits(count, 4, at, head)) {
            return in.in_field("sizes");
        }
        if (!in.charge_each(count, in.extra(4), at)) {
            return in.in_field("sizes");
        }
        if (!in.charge(count * 4, at)) {
            return in.in_field("sizes");
        }
        at = reader::take_row(at, count, value.sizes);
    }
    in.leave();
// [as in the base]

inline bool size_Message(aldis::sizer& out, const Message& value) {
    out.add(4);
    out.add(4 * value.sizes.size());
    return true;
// [as in the base]
inline std::byte* write_Message(std::byte* at, const Message& value, [[maybe_unused]] const std::byte* end) {
    std::byte* next = at;
    // sizes
    aldis::store<byte_order>(next, static_cast<std::uint32_t>(value.sizes.size()));
    next = aldis::store_rows<byte_order>(next + 4, value.sizes);
    return next;
}
// ==== feature/message_json.hpp
// Numbers in place, in the Final form.
#ifndef ALDIS_feature_OF_message_json_9cbd562d3e2e4880
#define ALDIS_feature_OF_message_json_9cbd562d3e2e4880

// [as in the base]
    static constexpr aldis::json::written_member<P> members[]{
        {R"({"sizes":)", "sizes", aldis::json::write_as<as::list<as::integer>, decltype(value.sizes)>}};
    const void* const places[]{&value.sizes};
    return out.write_members(members, places);
// [as in the base]
    static constexpr aldis::json::read_member<P> members[]{
        {"sizes", "sizes", aldis::json::read_as<as::list<as::integer>, decltype(value.sizes)>,
            aldis::json::emptied<decltype(value.sizes)>}};
    const void* const places[]{&value.sizes};
    std::uint64_t seen[1]{};
// ==== feature/message_view.hpp
// Numbers in place, in the Final form.
#ifndef ALDIS_feature_OF_message_view_9cbd562d3e2e4880
#define ALDIS_feature_OF_message_view_9cbd562d3e2e4880

// [as in the base]

    /// A range of `std::int32_t`.
    [[nodiscard]] auto sizes() const noexcept {
        using kind = in_place::list<std::uint32_t, in_place::number<std::int32_t>>;
        return kind::get(place_);
    }

// [as in the base]
    friend const std::byte* end_of(const Message& record) noexcept {
        return in_place::list<std::uint32_t, in_place::number<std::int32_t>>::skip(record.place_);
    }
// [as in the base]
    }
    // sizes
    {
        const std::byte* const head = at;
        if (!in.need_head(at, 4, {{0, 4, "count"}})) {
            return in.in_field("sizes");
        }
        const std::uint64_t count = reader::load<std::uint32_t>(at);
        at += 4;
        if (!in.fits(count, 4, at, head)) {
            return in.in_field("sizes");
        }
        if (!in.charge_each(count, in.extra(4), at)) {
            return in.in_field("sizes");
        }
        if (!in.charge(count * 4, at)) {
            return in.in_field("sizes");
        }
        at += count * 4;
    }
    in.leave();
// ==== feature/message_writer.hpp
// Numbers in place, in the Final form.
#ifndef ALDIS_feature_OF_message_writer_9cbd562d3e2e4880
#define ALDIS_feature_OF_message_writer_9cbd562d3e2e4880

// [as in the base]

    bool sizes(std::span<const std::int32_t> value) {
        aldis::draft& out = *draft_;
        if (!out.at_part(place_, 0)) {
            return out.refuse_field("sizes");
        }
        out.add(4);
        out.add(4 * value.size());
        std::byte* next = out.append_measured();
        if (next == nullptr) {
            return out.refuse_field("sizes");
        }
        aldis::store<byte_order>(next, static_cast<std::uint32_t>(value.size()));
        next = aldis::store_rows<byte_order>(next + 4, value);
        return out.next_step();
    }

private:
    static constexpr std::array<aldis::draft_step, 1> steps{{{}}};
    aldis::draft* draft_;
// ==== feature_stream.hpp
// Numbers in place, in the Final form.
#ifndef ALDIS_feature_stream_9cbd562d3e2e4880
#define ALDIS_feature_stream_9cbd562d3e2e4880

