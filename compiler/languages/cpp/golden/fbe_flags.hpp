// ==== feature.hpp
// Names of bits.
#pragma once
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
///        4       4  (type)
///        8       1  options
///                9  (total, as this schema's writers write it)
struct Message {
    Options options{};

// [as in the base]

inline constexpr std::array<aldis::cut, 1> cuts_Message{{{8, 9, "options"}}};
inline const std::byte* read_Message(auto& in, const std::byte* at, Message& value);
// [as in the base]
    Message& value) {
    value.options = Whole || extent >= 9 ? reader::load<Options>(at + 8) : Options{};
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
    aldis::store<byte_order>(at + 8, value.options);
    return at + 9;
}
// ==== feature_json.hpp
// Names of bits.
#pragma once
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
        value.options = {};
    }
// ==== feature_view.hpp
// Names of bits.
#pragma once
// [as in the base]

    [[nodiscard]] Options options() const noexcept {
        return place_.extent >= 9 ? in_place::load<Options>(place_.at + 8) : Options{};
    }
// [as in the base]
    static constexpr aldis::sized_block<std::uint32_t, std::uint32_t, 0, 1> block{
        .head = 8, .size = 9, .links = {},
        .short_of = {{{9, 4}}}, .type = 1, .type_at = 4, .cuts = cuts_Message};
    const std::uint64_t extent = aldis::open_block<block>(in, at);
// ==== feature_writer.hpp
// Names of bits.
#pragma once
// [as in the base]

    bool options(Options value) { return draft_->set<byte_order>(place_, {.run = 0, .at = 8}, value, "options"); }

// [as in the base]
    static void fill_0(std::byte* at) {
        std::memset(at, 0, 9);
        aldis::store<byte_order>(at, std::uint32_t{9});
        aldis::store<byte_order>(at + 4, std::uint32_t{1});
    }
    static constexpr std::array<aldis::draft_step, 1> steps{{{9, fill_0}}};
    aldis::draft* draft_;
// ==== feature_stream.hpp
// Names of bits.
#pragma once
