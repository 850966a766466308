// ==== feature.hpp
// [as in the base]

/// `feature.Options`
enum class Options : std::uint8_t {
    urgent = 0x01,
    hidden = 0x80,
};

constexpr Options operator|(Options a, Options b) noexcept {
    return static_cast<Options>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
constexpr Options operator&(Options a, Options b) noexcept {
    return static_cast<Options>(static_cast<std::uint8_t>(a) & static_cast<std::uint8_t>(b));
}
constexpr Options operator~(Options a) noexcept {
    return static_cast<Options>(~static_cast<std::uint8_t>(a));
}
/// Whether all of these flags are set.
constexpr bool has(Options set, Options flags) noexcept {
    return (set & flags) == flags;
}

struct Message;
// [as in the base]
///   offset    size  field
///        0       1  options
///                1  (total, as this schema's writers write it)
struct Message {
    Options options{};
    /// Fields by their place in this record, as `missing_fields` has them.
    struct field_places {
        static constexpr std::size_t options = 0;
    };
// [as in the base]

inline constexpr std::array<aldis::cut, 1> cuts_Message{{{0, 1, "options"}}};
inline const std::byte* read_Message(auto& in, const std::byte* at, std::uint64_t extent, Message& value);
// [as in the base]
    Message& value) {
    if (Whole || extent >= 1) {
        value.options = reader::load<Options>(at);
    } else {
        value.options = {};
        value.missing_fields.add(0);
// [as in the base]
    }
    const bool whole = extent >= 1;
    at = whole ? read_Message_block<true>(in, at, extent, value)
// [as in the base]
inline bool size_Message(aldis::sizer& out, const Message& value) {
    out.add(1);
    if (value.missing_fields.any()) {
        static constexpr std::string_view names[] = {"options"};
        return out.refuse(names[value.missing_fields.first()]);
// [as in the base]
inline std::byte* write_Message(std::byte* at, const Message& value) {
    aldis::store<byte_order>(at, value.options);
    return at + 1;
}
// [as in the base]
    static void write(std::byte* at, const Message& value, [[maybe_unused]] std::uint64_t total) {
        aldis::store<byte_order>(at, std::uint16_t{1});
        aldis::store<byte_order>(at + 2, std::uint16_t{1});
// ==== feature_json.hpp
// [as in the base]

inline constexpr std::array<aldis::json::named<Options>, 2> Options_names{{
    {"urgent", Options::urgent},
    {"hidden", Options::hidden},
}};
inline constexpr std::array<aldis::json::named<Options>, 2> Options_bits{{
    {"urgent", Options::urgent},
    {"hidden", Options::hidden},
}};
template <aldis::json::policy P>
// [as in the base]
bool write_json(aldis::json::writer<P>& out, const Message& value) {
    out.raw(R"({"options":)");
    if (value.missing_fields.has(0)) {
// [as in the base]
    } else {
        if (!out.flags(value.options, Options_bits)) {
            return out.in_field("options");
        }
// [as in the base]
bool read_json(aldis::json::reader<P>& in, Message& value) {
    static constexpr std::array<std::string_view, 1> names{{"options"}};
    aldis::json::members<1> object;
// [as in the base]
        switch (object.field) {
            case 0: read = in.flags(value.options, Options_names); break;
        }
// [as in the base]
    if (!object.has(0)) {
        return in.missing("options");
    }
// ==== feature_view.hpp
// [as in the base]

    [[nodiscard]] Options options() const noexcept {
        return place_.extent >= 1 ? in_place::load<Options>(place_.at) : Options{};
    }
// [as in the base]
        aldis::missing_set<1> missing;
        if (place_.extent < 1) {
            missing.add(0);
// ==== feature_writer.hpp
// [as in the base]

    bool options(Options value) { return draft_->set<byte_order>(place_, {.run = 0, .at = 0}, value, "options"); }

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
