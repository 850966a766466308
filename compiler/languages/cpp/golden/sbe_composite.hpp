// ==== feature.hpp
// [as in the base]

struct Price;
struct Message;

/// `feature.Price`
struct Price {
    std::int64_t mantissa = 0;
    static constexpr std::int8_t exponent = -2;
    /// Fields by their place in this record, as `missing_fields` has them.
    struct field_places {
        static constexpr std::size_t mantissa = 0;
    };
    /// Required fields that a message's bytes ended before.
    aldis::missing_set<2> missing_fields;

    bool operator==(const Price&) const = default;
};

/// `feature.Message`
// [as in the base]
///   offset    size  field
///        0       8  price.mantissa
///        8       0  price.exponent, constant
///                8  (total, as this schema's writers write it)
struct Message {
    Price price;
    /// Fields by their place in this record, as `missing_fields` has them.
    struct field_places {
        static constexpr std::size_t price = 0;
    };
// [as in the base]

inline constexpr std::array<aldis::cut, 3> cuts_Message{{
    {0, 8, "price.mantissa"}, {8, 8, "price.exponent"}, {0, 8, "price"}}};
inline const std::byte* read_Message(auto& in, const std::byte* at, std::uint64_t extent, Message& value);
// [as in the base]
    Message& value) {
    if (Whole || extent >= 8) {
        value.price.missing_fields.clear();
        value.price.mantissa = reader::load<std::int64_t>(at);
    } else {
        value.price = {};
        value.missing_fields.add(0);
// [as in the base]
    }
    const bool whole = extent >= 8;
    at = whole ? read_Message_block<true>(in, at, extent, value)
// [as in the base]
inline bool size_Message(aldis::sizer& out, const Message& value) {
    out.add(8);
    if (value.missing_fields.any()) {
        static constexpr std::string_view names[] = {"price"};
        return out.refuse(names[value.missing_fields.first()]);
    }
    if (value.price.missing_fields.any()) {
        static constexpr std::string_view names[] = {"mantissa", "exponent"};
        out.refuse(names[value.price.missing_fields.first()]);
        return out.in_field("price");
    }
    return true;
// [as in the base]
inline std::byte* write_Message(std::byte* at, const Message& value) {
    aldis::store<byte_order>(at, value.price.mantissa);
    return at + 8;
}
// [as in the base]
    static void write(std::byte* at, const Message& value, [[maybe_unused]] std::uint64_t total) {
        aldis::store<byte_order>(at, std::uint16_t{8});
        aldis::store<byte_order>(at + 2, std::uint16_t{1});
// ==== feature_json.hpp
// [as in the base]
template <aldis::json::policy P>
bool write_json(aldis::json::writer<P>& out, const Price& value);
template <aldis::json::policy P>
bool read_json(aldis::json::reader<P>& in, Price& value);
template <aldis::json::policy P>
bool write_json(aldis::json::writer<P>& out, const Message& value);
// [as in the base]
template <aldis::json::policy P>
bool write_json(aldis::json::writer<P>& out, const Price& value) {
    out.raw(R"({"mantissa":)");
    if (value.missing_fields.has(0)) {
        out.null();
    } else {
        if (!out.integer(value.mantissa)) {
            return out.in_field("mantissa");
        }
    }
    out.raw(R"(,"exponent":)");
    if (!out.integer(Price::exponent)) {
        return out.in_field("exponent");
    }
    out.raw("}");
    return true;
}

template <aldis::json::policy P>
bool read_json(aldis::json::reader<P>& in, Price& value) {
    static constexpr std::array<std::string_view, 2> names{{"mantissa", "exponent"}};
    aldis::json::members<2> object;
    value.missing_fields.clear();
    if (!in.open()) {
        return false;
    }
    while (in.next(object, names)) {
        bool read = false;
        switch (object.field) {
            case 0: read = in.integer(value.mantissa); break;
            case 1: {
                std::int8_t given{};
                read = (in.integer(given) && in.agrees(given, Price::exponent));
                break;
            }
        }
        if (!read) {
            return in.in_field(names[object.field]);
        }
    }
    if (in.failed()) {
        return false;
    }
    if (!object.has(0)) {
        return in.missing("mantissa");
    }
    return in.close();
}

template <aldis::json::policy P>
bool write_json(aldis::json::writer<P>& out, const Message& value) {
    out.raw(R"({"price":)");
    if (value.missing_fields.has(0)) {
// [as in the base]
    } else {
        if (!write_json(out, value.price)) {
            return out.in_field("price");
        }
// [as in the base]
bool read_json(aldis::json::reader<P>& in, Message& value) {
    static constexpr std::array<std::string_view, 1> names{{"price"}};
    aldis::json::members<1> object;
// [as in the base]
        switch (object.field) {
            case 0: read = read_json(in, value.price); break;
        }
// [as in the base]
    if (!object.has(0)) {
        return in.missing("price");
    }
// ==== feature_view.hpp
// [as in the base]

class Price;
class Message;

/// `feature.Price`
class Price {
public:
    /// All of its fields are missing.
    Price() = default;
    explicit Price(const aldis::verified& place) noexcept : place_(place) {}

    [[nodiscard]] std::int64_t mantissa() const noexcept {
        return place_.extent >= 8 ? in_place::load<std::int64_t>(place_.at) : std::int64_t{0};
    }
    [[nodiscard]] static constexpr std::int8_t exponent() noexcept { return ::feature::Price::exponent; }

    /// Required fields that the message's bytes ended before, by their place in the record.
    [[nodiscard]] aldis::missing_set<2> missing_fields() const noexcept {
        aldis::missing_set<2> missing;
        if (place_.extent < 8) {
            missing.add(0);
        }
        return missing;
    }

private:
    aldis::verified place_;
};

/// `feature.Message`
// [as in the base]

    [[nodiscard]] view::Price price() const noexcept {
        return place_.extent >= 8 ? in_place::nest<view::Price, 8>::get(place_.within(0)) : view::Price{};
    }
// [as in the base]
        aldis::missing_set<1> missing;
        if (place_.extent < 8) {
            missing.add(0);
// ==== feature_writer.hpp
// [as in the base]

    bool price(const ::feature::Price& value) {
        aldis::draft& out = *draft_;
        if (value.missing_fields.any()) {
            static constexpr std::string_view names[] = {"mantissa", "exponent"};
            out.refuse(names[value.missing_fields.first()]);
            return out.in_field("price");
        }
        std::byte* const at = out.run(place_, 0);
        if (at == nullptr) {
            return out.refuse_field("price");
        }
        aldis::store<byte_order>(at, value.mantissa);
        return true;
    }

// [as in the base]
    static void fill_0(std::byte* at) {
        std::memset(at, 0, 8);
    }
    static constexpr std::array<aldis::draft_step, 1> steps{{{8, fill_0}}};
    aldis::draft* draft_;
// [as in the base]
    static void seal(std::byte* at, [[maybe_unused]] std::uint64_t total) {
        aldis::store<byte_order>(at, std::uint16_t{8});
        aldis::store<byte_order>(at + 2, std::uint16_t{1});
