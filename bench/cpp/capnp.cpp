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

std::uint64_t walk_ints(std::span<const std::byte> message) {
    const auto from = ints::verify<ints::Ints>(message);
    return from->a() + static_cast<std::uint64_t>(from->b()) + from->c() + static_cast<std::uint64_t>(from->d()) + from->e() +
           static_cast<std::uint64_t>(from->f()) + from->g();
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

std::uint64_t walk_book(std::span<const std::byte> message) {
    std::uint64_t sum = 0;
    for (const auto person : addressbook::verify<addressbook::AddressBook>(message)->people()) {
        sum += walk(person);
    }
    return sum;
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
}

}  // namespace

void add_capnp() {
    add_integers();
    add_book();
}
