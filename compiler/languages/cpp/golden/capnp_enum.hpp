// ==== feature.hpp
// Names of numbers.
#pragma once
// [as in the base]

/// `Side`
enum class Side : std::uint16_t {
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
///   offset    size  field
///        0       2  side
struct Message {
    Side side = Side::buy;

// [as in the base]
inline constexpr aldis::lacks<1, 0> lacks_Message{
    {{{2, 4}}}, {}};
inline bool read_Message(aldis::segments::reader& in, const aldis::segments::body& at, Message& value);
// [as in the base]
    const aldis::segments::data_of<8> data(at);
    value.side = data.get<Side>(0);
    return true;
// [as in the base]
    std::memset(at, 0, 8);
    aldis::store<aldis::little>(at, value.side);
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
bool write_members(aldis::json::writer<P>& out, const Message& value) {
    out.member(R"("side":)");
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

    [[nodiscard]] Side side() const noexcept { return place_.get<Side>(0); }

// ==== feature_writer.hpp
// Names of numbers.
#pragma once
// [as in the base]

    void side(Side value) const { place_.set<Side>(0, value); }

// ==== feature_stream.hpp
// Names of numbers.
#pragma once
