// ==== feature.hpp
// Names of numbers.
#pragma once
// [as in the base]

/// `feature.Side`
enum class Side : std::uint8_t {
    buy = 0,
    sell = 1,
};

/// The name of an enumerant; empty for a number that the schema has no name for.
constexpr std::string_view name_of(Side value) noexcept {
    switch (value) {
        case Side::buy: return "buy";
        case Side::sell: return "sell";
        default: return {};
    }
}

struct Message;
// [as in the base]
///        4       4  (type)
///        8       1  side
///                9  (total, as this schema's writers write it)
struct Message {
    Side side = Side::buy;

// [as in the base]

inline constexpr std::array<aldis::cut, 1> cuts_Message{{{8, 9, "side"}}};
inline const std::byte* read_Message(auto& in, const std::byte* at, Message& value);
// [as in the base]
    Message& value) {
    value.side = Whole || extent >= 9 ? reader::load<Side>(at + 8) : Side::buy;
    return at + extent;
// [as in the base]
    static constexpr aldis::sized_block<std::uint32_t, std::uint32_t, 0, 1> block{
        .head = 8, .size = 9, .links = {},
        .short_of = {{{9, 4}}}, .type = 1, .type_at = 4, .cuts = cuts_Message};
    const std::uint64_t extent = aldis::open_block<block>(in, at);
// [as in the base]
    }
    const bool whole = extent >= 9;
    at = whole ? read_Message_block<true>(in, at, extent, value)
// [as in the base]
inline bool size_Message(aldis::sizer& out, [[maybe_unused]] const Message& value) {
    out.add(9);
    return true;
// [as in the base]
inline std::byte* write_Message(std::byte* at, const Message& value) {
    aldis::store<byte_order>(at, std::uint32_t{9});
    aldis::store<byte_order>(at + 4, std::uint32_t{1});
    aldis::store<byte_order>(at + 8, value.side);
    return at + 9;
}
// ==== feature_json.hpp
// Names of numbers.
#pragma once
// [as in the base]

inline constexpr std::array<aldis::json::named<Side>, 2> Side_names{{
    {"buy", Side::buy},
    {"sell", Side::sell},
}};
template <aldis::json::policy P>
// [as in the base]
bool write_json(aldis::json::writer<P>& out, const Message& value) {
    out.raw(R"({"side":)");
    if (!out.enumeration(value.side, name_of(value.side))) {
        return out.in_field("side");
    }
// [as in the base]
bool read_json(aldis::json::reader<P>& in, Message& value) {
    static constexpr std::array<std::string_view, 1> names{{"side"}};
    aldis::json::members<1> object;
// [as in the base]
        switch (object.field) {
            case 0: read = in.enumeration(value.side, Side_names); break;
        }
// [as in the base]
    if (!object.has(0)) {
        value.side = Side::buy;
    }
// ==== feature_view.hpp
// Names of numbers.
#pragma once
// [as in the base]

    [[nodiscard]] Side side() const noexcept {
        return place_.extent >= 9 ? in_place::load<Side>(place_.at + 8) : Side::buy;
    }
// [as in the base]
    static constexpr aldis::sized_block<std::uint32_t, std::uint32_t, 0, 1> block{
        .head = 8, .size = 9, .links = {},
        .short_of = {{{9, 4}}}, .type = 1, .type_at = 4, .cuts = cuts_Message};
    const std::uint64_t extent = aldis::open_block<block>(in, at);
// ==== feature_writer.hpp
// Names of numbers.
#pragma once
// [as in the base]

    bool side(Side value) { return draft_->set<byte_order>(place_, {.run = 0, .at = 8}, value, "side"); }

// [as in the base]
    static void fill_0(std::byte* at) {
        std::memset(at, 0, 9);
        aldis::store<byte_order>(at, std::uint32_t{9});
        aldis::store<byte_order>(at + 4, std::uint32_t{1});
        aldis::store<byte_order>(at + 8, Side(Side::buy));
    }
    static constexpr std::array<aldis::draft_step, 1> steps{{{9, fill_0}}};
    aldis::draft* draft_;
// ==== feature_stream.hpp
// Names of numbers.
#pragma once
