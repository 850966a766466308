// The account message in each library's own format: the same values, other bytes. What may be compared is how long it takes
// to have a message to send, and to have its values from what came.
#include "../peers/cpp/account_capnp.hpp"
#include "../peers/cpp/account_flatbuffers.hpp"
#include "../peers/cpp/account_protobuf.hpp"
#include "../peers/cpp/account_sbe.hpp"
#include "../peers/cpp/fbe_standard.hpp"
#include "account_in_capnp.hpp"
#include "account_sbe_view.hpp"
#include "race.hpp"
#include "read_account.hpp"
#include "tables.hpp"

namespace {

using race::check;
using race::opaque;

constexpr const char* table = "account";
constexpr const char* encode = "encode";
constexpr const char* decode = "decode, reused object";
constexpr const char* all_fields = "decode, all fields";

peer::Account hand;
std::vector<std::byte> out(4096);
double sum = 0;

/// Adds up what the peer's `read_all` adds up.
double read_sbe(const account_sbe::view::Account& from) {
    double more = from.id() + from.state() + from.walletAmount() + from.assetAmount().value_or(0);
    for (const auto& order : from.orders()) {
        more += order.id() + static_cast<int>(order.side()) + static_cast<int>(order.type()) + order.price() + order.volume();
        more += static_cast<double>(order.symbol().size());
    }
    return more + static_cast<double>(from.name().size() + from.walletCurrency().size() + from.assetCurrency().size());
}

std::vector<std::byte> copy(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

void add_ours(const std::vector<std::byte>& golden) {
    static proto::Account ours;
    static const std::vector<std::byte> standard = golden;
    check(proto::decode(standard, ours).ok());
    static const std::vector<std::byte> final_form = copy(std::span(out).first(proto::encode_final(ours, out).value()));
    race::note_size(table, "aldis, FBE", standard.size());
    race::note_size(table, "aldis, FBE Final", final_form.size());
    race::add(table, encode, "aldis, FBE", [] { opaque(ours), check(proto::encode(ours, out).ok()), opaque(out); });
    race::add(table, decode, "aldis, FBE", [] { opaque(standard), check(proto::decode(standard, ours).ok()), opaque(ours); });
    race::add(table, all_fields, "aldis, FBE", [] {
        opaque(standard);
        const auto view = proto::verify<proto::Account>(standard);
        check(view.ok());
        sum = read_all(*view), opaque(sum);
    });
    race::add(table, encode, "aldis, FBE Final",
        [] { opaque(ours), check(proto::encode_final(ours, out).ok()), opaque(out); });
    race::add(table, decode, "aldis, FBE Final",
        [] { opaque(final_form), check(proto::decode_final(final_form, ours).ok()), opaque(ours); });
}

void add_sbe() {
    static const std::vector<std::byte> bytes = copy(std::span(out).first(peer::sbe_account::encode(hand, out)));
    static account_sbe::Account ours;
    static peer::Account again;
    peer::sbe_account::decode(bytes, again);
    check(read_sbe(*account_sbe::verify<account_sbe::Account>(bytes)) == peer::sbe_account::read_all(bytes));
    check(again == hand && account_sbe::decode(bytes, ours).ok() && account_sbe::encode(ours, out).value() == bytes.size() &&
          std::equal(bytes.begin(), bytes.end(), out.begin()));
    for (const char* who : {"aldis, SBE", "sbe-tool"}) {
        race::note_size(table, who, bytes.size());
    }
    race::add(table, encode, "aldis, SBE", [] { opaque(ours), check(account_sbe::encode(ours, out).ok()), opaque(out); });
    race::add(table, decode, "aldis, SBE", [] { opaque(bytes), check(account_sbe::decode(bytes, ours).ok()), opaque(ours); });
    race::add(table, all_fields, "aldis, SBE", [] {
        opaque(bytes);
        const auto view = account_sbe::verify<account_sbe::Account>(bytes);
        check(view.ok());
        sum = read_sbe(*view), opaque(sum);
    });
    race::add(table, encode, "sbe-tool", [] { opaque(hand), check(peer::sbe_account::encode(hand, out) > 0), opaque(out); },
        "aldis, SBE");
    race::add(table, decode, "sbe-tool", [] { opaque(bytes), peer::sbe_account::decode(bytes, again), opaque(again); },
        "aldis, SBE");
    race::add(table, all_fields, "sbe-tool", [] { opaque(bytes), sum = peer::sbe_account::read_all(bytes), opaque(sum); },
        "aldis, SBE");
}

void add_protobuf() {
    static peer::protobuf::Message message = peer::protobuf::message_of(hand);
    static const std::vector<std::byte> bytes = copy(std::span(out).first(peer::protobuf::encode(message, out)));
    check(!bytes.empty());
    race::note_size(table, "protobuf", bytes.size());
    race::add(table, encode, "protobuf",
        [] { opaque(message), check(peer::protobuf::encode(message, out) > 0), opaque(out); }, "aldis, FBE");
    race::add(table, decode, "protobuf",
        [] { opaque(bytes), check(peer::protobuf::decode(bytes, message)), opaque(message); }, "aldis, FBE");
}

void add_flatbuffers(double expected) {
    static flatbuffers::FlatBufferBuilder builder(4096);
    static peer::flat_buffers::Message message;
    static const std::vector<std::byte> bytes = copy(peer::flat_buffers::encode(hand, builder));
    check(peer::flat_buffers::read_all(bytes) == expected);
    race::note_size(table, "FlatBuffers", bytes.size());
    race::add(table, encode, "FlatBuffers",
        [] { opaque(hand), check(!peer::flat_buffers::encode(hand, builder).empty()), opaque(builder); }, "aldis, FBE");
    race::add(table, decode, "FlatBuffers",
        [] { opaque(bytes), check(peer::flat_buffers::decode(bytes, message)), opaque(message); }, "aldis, FBE");
    race::add(table, all_fields, "FlatBuffers",
        [] { opaque(bytes), sum = peer::flat_buffers::read_all(bytes), opaque(sum); }, "aldis, FBE");
}

void add_libcapnp(double expected) {
    static peer::capnp_account::Words scratch(512);
    static peer::capnp_account::Words words(512);
    static peer::Account again;
    static const auto bytes = [] { return kj::arrayPtr(words.data(), peer::capnp_account::encode(hand, scratch, words)); }();
    peer::capnp_account::decode(bytes, again);
    check(again == hand && peer::capnp_account::read_all(bytes) == expected);
    static const std::span<const std::byte> message = std::as_bytes(std::span(bytes.begin(), bytes.size()));
    static account_in_capnp::Account ours;
    check(account_in_capnp::decode(message, ours).ok() && account_in_capnp::encode(ours, out).value() == message.size());
    race::note_size(table, "libcapnp", message.size());
    race::note_size(table, "aldis, Cap'n Proto", message.size());
    race::add(table, encode, "aldis, Cap'n Proto",
        [] { opaque(ours), check(account_in_capnp::encode(ours, out).ok()), opaque(out); });
    race::add(table, decode, "aldis, Cap'n Proto",
        [] { opaque(words), check(account_in_capnp::decode(message, ours).ok()), opaque(ours); });
    race::add(table, encode, "libcapnp",
        [] { opaque(hand), check(peer::capnp_account::encode(hand, scratch, words) > 0), opaque(words); },
        "aldis, Cap'n Proto");
    race::add(table, decode, "libcapnp", [] { opaque(words), peer::capnp_account::decode(bytes, again), opaque(again); },
        "aldis, Cap'n Proto");
    race::add(table, all_fields, "libcapnp",
        [] { opaque(words), sum = peer::capnp_account::read_all(bytes), opaque(sum); }, "aldis, FBE");
}

}  // namespace

void add_libraries(const std::string& folder) {
    const std::vector<std::byte> golden = race::file(folder + "/proto_account_readme.std.bin");
    check(peer::standard::decode(golden, hand));
    const double expected = peer::standard::read_all(golden);
    add_ours(golden);
    add_sbe();
    add_protobuf();
    add_flatbuffers(expected);
    add_libcapnp(expected);
}
