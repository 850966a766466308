// ==== feature.hpp
// [as in the base]

/// `feature.Side`
enum class Side : std::uint8_t {
    buy = 1,
    sell = 2,
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
///        0       1  side
///                1  (total, as this schema's writers write it)
struct Message {
    Side side{};
    /// Fields by their place in this record, as `missing_fields` has them.
    struct field_places {
        static constexpr std::size_t side = 0;
    };
// [as in the base]

inline constexpr std::array<aldis::cut, 1> cuts_Message{{{0, 1, "side"}}};
inline const std::byte* read_Message(auto& in, const std::byte* at, std::uint64_t extent, Message& value);
// [as in the base]
    Message& value) {
    if (Whole || extent >= 1) {
        value.side = reader::load<Side>(at);
    } else {
        value.side = {};
        value.missing_fields.add(0);
// [as in the base]
    }
    const bool whole = extent >= 1;
    at = whole ? read_Message_block<true>(in, at, extent, value)
// [as in the base]
inline bool size_Message(aldis::sizer& out, const Message& value) {
    out.add(1);
    if (value.missing_fields.any()) {
        static constexpr std::string_view names[] = {"side"};
        return out.refuse(names[value.missing_fields.first()]);
// [as in the base]
inline std::byte* write_Message(std::byte* at, const Message& value) {
    aldis::store<byte_order>(at, value.side);
    return at + 1;
}
// [as in the base]
    static void write(std::byte* at, const Message& value, [[maybe_unused]] std::uint64_t total) {
        aldis::store<byte_order>(at, std::uint16_t{1});
        aldis::store<byte_order>(at + 2, std::uint16_t{1});
// ==== feature_json.hpp
// [as in the base]

inline constexpr std::array<aldis::json::named<Side>, 2> Side_names{{
    {"buy", Side::buy},
    {"sell", Side::sell},
}};
template <aldis::json::policy P>
// [as in the base]
bool write_json(aldis::json::writer<P>& out, const Message& value) {
    out.raw(R"({"side":)");
    if (value.missing_fields.has(0)) {
// [as in the base]
    } else {
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
        return in.missing("side");
    }
// ==== feature_view.hpp
// [as in the base]

    [[nodiscard]] Side side() const noexcept { return place_.extent >= 1 ? in_place::load<Side>(place_.at) : Side{}; }

// [as in the base]
        aldis::missing_set<1> missing;
        if (place_.extent < 1) {
            missing.add(0);
// ==== feature_writer.hpp
// [as in the base]

    bool side(Side value) { return draft_->set<byte_order>(place_, {.run = 0, .at = 0}, value, "side"); }

// [as in the base]
    static void fill_0(std::byte* at) {
        std::memset(at, 0, 1);
    }
    static constexpr std::array<aldis::draft_step, 1> steps{{{1, fill_0}}};
    aldis::draft* draft_;
// [as in the base]
    static void seal(std::byte* at, [[maybe_unused]] std::uint64_t total) {
        aldis::store<byte_order>(at, std::uint16_t{1});
        aldis::store<byte_order>(at + 2, std::uint16_t{1});
