// Cap'n Proto: generated code against its own C++ library (bench/peers/cpp/capnp_messages.hpp). Encoding makes the framed bytes
// of a value, where the library builds its segments from the same values; decoding fills a value that is used again, where
// the library looks at every field in place.
#include "../peers/cpp/capnp_messages.hpp"
#include "addressbook.hpp"
#include "ints.hpp"
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

void add_integers() {
    constexpr const char* table = "Cap'n Proto, 7 integers";
    static library::Ints theirs{1, -2, 3, -4, 5, -6, 7};
    static ints::Ints ours{.a = 1, .b = -2, .c = 3, .d = -4, .e = 5, .f = -6, .g = 7};
    static library::Memory memory(1024);
    static std::vector<std::byte> out(1024);
    static std::vector<std::uint64_t> words;
    static const auto message = aligned(std::span(out).first(ints::encode(ours, out).value()), words);
    check(library::walk_ints(message) == 4);
    race::note_size(table, "aldis", message.size());

    race::pair(table, "encode", libcapnp, 0.5,
        [] { opaque(theirs), check(library::build(theirs, memory) > 0); },
        [] { opaque(ours), check(ints::encode(ours, out).ok()), opaque(out); });
    race::pair(table, "decode, reused object", libcapnp, 1.0,
        [] { opaque(message), check(library::walk_ints(message) != 0); },
        [] { opaque(message), check(ints::decode(message, ours).ok()), opaque(ours); });
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
    race::note_size(table, "aldis", size);
    race::note_size(table, libcapnp, message.size());

    race::pair(table, "encode", libcapnp, 0.6,
        [] { opaque(theirs), check(library::build(theirs, memory) > 0); },
        [] { opaque(ours), check(addressbook::encode(ours, out).ok()), opaque(out); });
    race::pair(table, "decode, reused object", libcapnp, 1.0,
        [] { opaque(message), check(library::walk_book(message) != 0); },
        [] { opaque(message), check(addressbook::decode(message, ours).ok()), opaque(ours); });
}

}  // namespace

void add_capnp() {
    add_integers();
    add_book();
}
