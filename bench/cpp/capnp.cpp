// Cap'n Proto: generated code against its own C++ library (bench/peers/cpp/capnp_messages.hpp). Encoding makes the framed bytes
// of a value, or sets the fields of a message in place, where the library builds its segments from the same values; decoding
// fills a value that is used again, or verifies and looks at every field in place, where the library does the latter.
#include "../peers/cpp/capnp_messages.hpp"
#include "addressbook_view.hpp"
#include "addressbook_writer.hpp"
#include "ints_view.hpp"
#include "ints_writer.hpp"
#include "race.hpp"
#include "tables.hpp"

namespace {

namespace library = peer::capnp_library;
using race::check;
using race::opaque;

constexpr const char* libcapnp = "libcapnp";

/// Bytes that begin where a word may, as the library wants them.
std::span<const std::byte> aligned(std::span<const std::byte> bytes, std::vector<std::uint64_t>& words) {
    words.resize(bytes.size() / sizeof(std::uint64_t));
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return std::as_bytes(std::span(words));
}

/// The library's plain values are what is written, so that both write the same from the same.
std::size_t build(const library::Ints& from, aldis::segments::draft& draft) {
    const auto to = ints::write<ints::Ints>(draft);
    to.a(from.a);
    to.b(from.b);
    to.c(from.c);
    to.d(from.d);
    to.e(from.e);
    to.f(from.f);
    to.g(from.g);
    return draft.finish()->size();
}

std::uint64_t walk_ints(const ints::view::Ints& from) {
    return from.a() + static_cast<std::uint64_t>(from.b()) + from.c() + static_cast<std::uint64_t>(from.d()) + from.e() +
           static_cast<std::uint64_t>(from.f()) + from.g();
}

std::uint64_t walk_ints(std::span<const std::byte> message) {
    return walk_ints(*ints::verify<ints::Ints>(message));
}

void build(const library::Person& from, const addressbook::writer::Person& to) {
    using tag = addressbook::Person_employment::tag;
    to.id(from.id);
    to.name(from.name);
    to.email(from.email);
    const auto phones = to.phones(from.phones.size());
    for (std::size_t index = 0; index < from.phones.size(); ++index) {
        phones[index].number(from.phones[index].number);
        phones[index].type(static_cast<addressbook::Person_PhoneNumber_Type>(from.phones[index].type));
    }
    switch (from.employment) {
        case library::Employment::unemployed: to.employment().set<tag::unemployed>(); break;
        case library::Employment::employer: to.employment().set<tag::employer>(from.place); break;
        case library::Employment::school: to.employment().set<tag::school>(from.place); break;
        case library::Employment::self_employed: to.employment().set<tag::selfEmployed>(); break;
    }
}

std::size_t build(const library::Book& from, aldis::segments::draft& draft) {
    const auto people = addressbook::write<addressbook::AddressBook>(draft).people(from.size());
    for (std::size_t index = 0; index < from.size(); ++index) {
        build(from[index], people[index]);
    }
    return draft.finish()->size();
}

std::uint64_t walk(const addressbook::view::Person& from) {
    using tag = addressbook::Person_employment::tag;
    std::uint64_t sum = from.id() + from.name()->size() + from.email()->size();
    for (const auto phone : from.phones()) {
        sum += phone.number()->size() + static_cast<std::uint64_t>(phone.type());
    }
    const auto employment = from.employment();
    sum += static_cast<std::uint64_t>(employment.which());
    switch (employment.which()) {
        case tag::employer: return sum + (**employment.get<tag::employer>()).size();
        case tag::school: return sum + (**employment.get<tag::school>()).size();
        default: return sum;
    }
}

std::uint64_t walk_book(const addressbook::view::AddressBook& from) {
    std::uint64_t sum = 0;
    for (const auto person : from.people()) {
        sum += walk(person);
    }
    return sum;
}

std::uint64_t walk_book(std::span<const std::byte> message) {
    return walk_book(*addressbook::verify<addressbook::AddressBook>(message));
}

/// Packed: values into bytes, and bytes into an object that is used again, or verified and looked at, where the library unpacks them and
/// looks at every field in place. All into memory that is used again; `words` is a size that the message has at most, unpacked.
template <class Theirs, class Ours, class Encode, class Decode, class Walk, class View>
void add_packed(const char* table, const Theirs& theirs, Ours& ours, std::size_t words, Encode encode, Decode decode, Walk walk,
                View view) {
    static library::Memory memory(words);
    static library::Memory unpacked(words);
    static std::vector<std::byte> out(16 * words);
    static aldis::buffer own;
    static aldis::buffer room;
    static const auto packed = encode(ours, own).value();
    static const std::vector<std::byte> message(packed.begin(), packed.end());
    const std::uint64_t sum = library::walk_packed(message, unpacked, walk);
    check(library::pack(theirs, memory, out) > 0 && sum == library::walk_packed(out, unpacked, walk) && sum == view(message, room));
    race::note_size(table, "aldis", message.size());
    race::pair(table, "encode", libcapnp, 1 / 1.5,
        [&theirs] { opaque(theirs), check(library::pack(theirs, memory, out) > 0), opaque(out); },
        [&ours, encode] { opaque(ours), check(encode(ours, own).ok()), opaque(own); });
    race::pair(table, "decode, reused object", libcapnp, 1 / 1.5,
        [walk] { opaque(message), check(library::walk_packed(message, unpacked, walk) != 0); },
        [&ours, decode] { opaque(message), check(decode(message, ours, room).ok()), opaque(ours); });
    race::pair(table, "decode, all fields", libcapnp, 1 / 1.5,
        [walk] { opaque(message), check(library::walk_packed(message, unpacked, walk) != 0); },
        [view] { opaque(message), check(view(message, room) != 0); });
}

void add_integers() {
    constexpr const char* table = "Cap'n Proto, 7 integers";
    static library::Ints theirs{1, -2, 3, -4, 5, -6, 7};
    static ints::Ints ours{.a = 1, .b = -2, .c = 3, .d = -4, .e = 5, .f = -6, .g = 7};
    static library::Memory memory(1024);
    static std::vector<std::byte> out(1024);
    static std::vector<std::uint64_t> words;
    static const auto message = aligned(std::span(out).first(ints::encode(ours, out).value()), words);
    static aldis::segments::draft draft(out);
    check(library::walk_ints(message) == 4 && walk_ints(message) == 4);
    race::note_size(table, "aldis", message.size());

    race::pair(table, "encode", libcapnp, 0.5,
        [] { opaque(theirs), check(library::build(theirs, memory) > 0); },
        [] { opaque(ours), check(ints::encode(ours, out).ok()), opaque(out); });
    race::pair(table, "decode, reused object", libcapnp, 1.0,
        [] { opaque(message), check(library::walk_ints(message) != 0); },
        [] { opaque(message), check(ints::decode(message, ours).ok()), opaque(ours); });
    race::pair(table, "encode, by writer", libcapnp, 1.0,
        [] { opaque(theirs), check(library::build(theirs, memory) > 0); },
        [] { opaque(theirs), check(build(theirs, draft) > 0), opaque(out); });
    race::pair(table, "decode, all fields", libcapnp, 1.0,
        [] { opaque(message), check(library::walk_ints(message) != 0); },
        [] { opaque(message), check(walk_ints(message) != 0); });
    add_packed("Cap'n Proto packed, 7 integers", theirs, ours, 1024,
        [](const ints::Ints& from, aldis::buffer& to) { return ints::encode_packed(from, to); },
        [](std::span<const std::byte> from, ints::Ints& to, aldis::buffer& room) { return ints::decode_packed(from, to, room); },
        [](::capnp::MessageReader& reader) { return library::walk_ints(reader); },
        [](std::span<const std::byte> from, aldis::buffer& room) { return walk_ints(*ints::verify_packed<ints::Ints>(from, room)); });
}

void add_book() {
    constexpr const char* table = "Cap'n Proto, address book of 50";
    static library::Book theirs = library::sample(50);
    static std::vector<std::uint64_t> words;
    static const auto message = aligned(library::framed(theirs), words);
    static addressbook::AddressBook ours;
    static library::Memory memory(4096);
    static std::vector<std::byte> out(2 * message.size());
    check(addressbook::decode(message, ours).ok());
    // The library puts some objects elsewhere, so the bytes differ; they must mean the same.
    const std::size_t size = addressbook::encode(ours, out).value();
    std::vector<std::uint64_t> copy;
    check(size == message.size());
    check(library::walk_book(aligned(std::span(out).first(size), copy)) == library::walk_book(message));
    static aldis::segments::draft draft(out);
    check(build(theirs, draft) == size && walk_book(std::span(out).first(size)) == library::walk_book(message));
    race::note_size(table, "aldis", size);
    race::note_size(table, libcapnp, message.size());

    race::pair(table, "encode", libcapnp, 0.6,
        [] { opaque(theirs), check(library::build(theirs, memory) > 0); },
        [] { opaque(ours), check(addressbook::encode(ours, out).ok()), opaque(out); });
    race::pair(table, "decode, reused object", libcapnp, 1.0,
        [] { opaque(message), check(library::walk_book(message) != 0); },
        [] { opaque(message), check(addressbook::decode(message, ours).ok()), opaque(ours); });
    race::pair(table, "encode, by writer", libcapnp, 1.0,
        [] { opaque(theirs), check(library::build(theirs, memory) > 0); },
        [] { opaque(theirs), check(build(theirs, draft) > 0), opaque(out); });
    race::pair(table, "decode, all fields", libcapnp, 1.0,
        [] { opaque(message), check(library::walk_book(message) != 0); },
        [] { opaque(message), check(walk_book(message) != 0); });
    add_packed("Cap'n Proto packed, address book of 50", theirs, ours, 4096,
        [](const addressbook::AddressBook& from, aldis::buffer& to) { return addressbook::encode_packed(from, to); },
        [](std::span<const std::byte> from, addressbook::AddressBook& to, aldis::buffer& room) { return addressbook::decode_packed(from, to, room); },
        [](::capnp::MessageReader& reader) { return library::walk_book(reader); },
        [](std::span<const std::byte> from, aldis::buffer& room) { return walk_book(*addressbook::verify_packed<addressbook::AddressBook>(from, room)); });
}

}  // namespace

void add_capnp() {
    add_integers();
    add_book();
}
