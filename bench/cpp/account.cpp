// The generated codecs of FBE's account message, and of lists of scalars, against hand-written ones (bench/peers/cpp).
#include "../peers/cpp/account_json.hpp"
#include "../peers/cpp/account_rapidjson.hpp"
#include "../peers/cpp/fbe_final.hpp"
#include "../peers/cpp/fbe_limit.hpp"
#include "../peers/cpp/fbe_standard.hpp"
#include "../peers/cpp/fbe_style.hpp"
#include "../peers/cpp/scalar_lists.hpp"
#include "lists.hpp"
#include "proto_json.hpp"
#include "read_account.hpp"
#include "race.hpp"
#include "tables.hpp"

namespace {

using race::check;
using race::opaque;

constexpr const char* by_hand = "by hand";
/// By hand, with all that this one schema allows.
constexpr const char* limit = "limit";
/// A model over a buffer, as FBE's own code works.
constexpr const char* style = "FBE's style";

void views(const std::string& folder) {
    static const std::vector<std::byte> bytes = race::file(folder + "/proto_account_readme.std.bin");
    check(peer::standard::read_all(bytes) == read_all(*proto::verify<proto::Account>(bytes)));
    check(peer::limit::verify(bytes));
    race::add("FBE account", "verify", limit, [] { opaque(bytes), check(peer::limit::verify(bytes)); }, "aldis", 1.2);
    race::add("FBE account", "verify, read every field", limit,
        [] {
            opaque(bytes), check(peer::limit::verify(bytes));
            double sum = peer::standard::read_all(bytes);
            opaque(sum);
        },
        "aldis", 1.25);
    race::pair("FBE account", "verify", by_hand, 1.3, [] { opaque(bytes), check(peer::standard::verify(bytes)); },
        [] { opaque(bytes), check(proto::verify<proto::Account>(bytes).ok()); });
    race::pair("FBE account", "verify, read every field", by_hand, 1.3,
        [] {
            opaque(bytes), check(peer::standard::verify(bytes));
            double sum = peer::standard::read_all(bytes);
            opaque(sum);
        },
        [] {
            opaque(bytes);
            const auto view = proto::verify<proto::Account>(bytes);
            check(view.ok());
            double sum = read_all(*view);
            opaque(sum);
        });
}

void in_style(const std::string& folder) {
    static const std::vector<std::byte> bytes = race::file(folder + "/proto_account_readme.std.bin");
    static peer::Account value;
    static peer::style::Model writing;
    static peer::style::Model reading;
    check(peer::standard::decode(bytes, value) && writing.serialize(value) == bytes.size());
    reading.attach(bytes);
    race::add("FBE account", "encode", style, [] { opaque(value), check(writing.serialize(value) > 0), opaque(writing); }, "aldis",
        1.0 / 5);
    race::add("FBE account", "decode, reused object", style, [] { opaque(reading), reading.deserialize(value), opaque(value); },
        "aldis", 1 / 3.3);
    race::add("FBE account", "verify", style, [] { opaque(reading), check(reading.verify()); }, "aldis", 1.0 / 3);
}

void standard(const std::string& folder) {
    static const std::vector<std::byte> bytes = race::file(folder + "/proto_account_readme.std.bin");
    static peer::Account hand;
    static proto::Account ours;
    static std::vector<std::byte> out(4096);
    check(peer::standard::decode(bytes, hand) && proto::decode(bytes, ours).ok());
    race::add("FBE account", "encode", limit,
        [] { opaque(hand), check(peer::limit::encode(hand, out) > 0), opaque(out); }, "aldis", 1.2);
    race::add("FBE account", "decode, reused object", limit,
        [] { opaque(bytes), check(peer::limit::decode(bytes, hand)), opaque(hand); }, "aldis", 1.25);
    race::pair("FBE account", "encode", by_hand, 1.3,
        [] { opaque(hand), check(peer::standard::encode(hand, out) > 0), opaque(out); },
        [] { opaque(ours), check(proto::encode(ours, out).ok()), opaque(out); });
    race::pair("FBE account", "decode, reused object", by_hand, 1.3,
        [] { opaque(bytes), check(peer::standard::decode(bytes, hand)), opaque(hand); },
        [] { opaque(bytes), check(proto::decode(bytes, ours).ok()), opaque(ours); });
}

void json(const std::string& folder) {
    static const std::vector<std::byte> bytes = race::file(folder + "/proto_account_readme.std.bin");
    static peer::Account hand;
    static proto::Account ours;
    static std::string text;
    static rapidjson::StringBuffer buffer;
    static peer::rapid::Reader reader;
    check(peer::standard::decode(bytes, hand) && proto::decode(bytes, ours).ok());
    check(peer::rapid::write(buffer, hand) && proto::to_json(ours, text).ok() && text == buffer.GetString());
    static const std::string golden = text;
    static peer::Account again;
    check(reader.read_account(golden, again) && again == hand);
    race::add("FBE account", "write JSON", "RapidJSON",
        [] { opaque(hand), check(peer::rapid::write(buffer, hand)), opaque(buffer); }, "aldis", 0.5);
    race::pair("FBE account", "write JSON", by_hand, 1.4,
        [] { text.clear(), check(peer::json::write(text, hand)), opaque(text); },
        [] { opaque(ours), check(proto::to_json(ours, text).ok()), opaque(text); });
    race::pair("FBE account", "read JSON, reused object", "RapidJSON", 0.5,
        [] { opaque(golden), check(reader.read_account(golden, again)), opaque(again); },
        [] { opaque(golden), check(proto::from_json(golden, ours).ok()), opaque(ours); });
}

void final_form(const std::string& folder) {
    static const std::vector<std::byte> bytes = race::file(folder + "/proto_account_readme.final.bin");
    static peer::Account hand;
    static proto::Account ours;
    static std::vector<std::byte> out(4096);
    check(peer::final_form::decode(bytes, hand) && proto::decode_final(bytes, ours).ok());
    race::pair("FBE account, Final", "encode", by_hand, 1.3,
        [] { opaque(hand), check(peer::final_form::encode(hand, out) > 0), opaque(out); },
        [] { opaque(ours), check(proto::encode_final(ours, out).ok()), opaque(out); });
    race::pair("FBE account, Final", "decode, reused object", by_hand, 1.3,
        [] { opaque(bytes), check(peer::final_form::decode(bytes, hand)), opaque(hand); },
        [] { opaque(bytes), check(proto::decode_final(bytes, ours).ok()), opaque(ours); });
}

template <class List, class T>
void list(const char* table, std::size_t count) {
    static List ours;
    static std::vector<T> hand;
    static std::vector<std::byte> bytes;
    static std::vector<std::byte> out;
    static std::span<const std::byte> message;
    ours.values.assign(count, T{});
    hand.resize(count);
    bytes.resize(count * sizeof(T) + 64);
    out.resize(bytes.size());
    message = std::span(bytes).first(lists::encode_final(ours, bytes).value());
    race::pair(table, "encode", "memcpy", 1.2,
        [] { opaque(hand), check(peer::lists::encode(hand, out) > 0), opaque(out); },
        [] { opaque(ours), check(lists::encode_final(ours, out).ok()), opaque(out); });
    race::pair(table, "decode, reused object", "memcpy", 1.2,
        [] { check(peer::lists::decode(message.subspan(8), hand)), opaque(hand); },
        [] { check(lists::decode_final(message, ours).ok()), opaque(ours); });
}

}  // namespace

void add_account(const std::string& folder) {
    in_style(folder);
    standard(folder);
    json(folder);
    views(folder);
    final_form(folder);
    list<lists::Doubles, double>("8,192 doubles", 8192);
    list<lists::Ints, std::int32_t>("16,384 int32", 16384);
    list<lists::Octets, std::byte>("65,536 bytes", 65536);
}
