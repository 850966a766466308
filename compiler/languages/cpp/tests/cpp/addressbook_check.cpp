// An address book in Cap'n Proto's forms: written, read into a reused value, with unions, cut and damaged.
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "addressbook_json.hpp"

namespace {

void check(bool good, const char* what) {
    if (!good) {
        std::fprintf(stderr, "failed: %s\n", what);
        std::exit(1);
    }
}

using tag = addressbook::Person_employment::tag;

addressbook::AddressBook sample() {
    addressbook::AddressBook book;
    auto& people = book.people.emplace();
    addressbook::Person& ada = people.emplace_back();
    ada.id = 123;
    ada.name = "Ada";
    ada.phones.emplace().push_back({"555-1212", addressbook::Person_PhoneNumber_Type::work});
    ada.employment.set<tag::school>("MIT");
    people.emplace_back().employment.set<tag::selfEmployed>();
    // A message of a newer schema, which has an arm more.
    people.emplace_back().employment.set_unknown(static_cast<tag>(7));
    return book;
}

void round_trips(const addressbook::AddressBook& book) {
    aldis::buffer out;
    addressbook::AddressBook read = sample();
    const auto framed = addressbook::encode(book, out);
    check(framed.ok(), "framed: encode");
    check(addressbook::decode(*framed, read).value() == framed->size() && read == book, "framed: decode");
    const auto packed = addressbook::encode_packed(book, out);
    check(packed.ok() && addressbook::decode_packed(*packed, read).ok() && read == book, "packed");
    const auto canonical = addressbook::encode_canonical(book, out);
    check(canonical.ok() && addressbook::decode_canonical(*canonical, read).ok() && read == book, "canonical");
}

/// The bytes of a person as the specification's examples are: known words, one after another.
void words_are_where_they_belong() {
    addressbook::Person person;
    person.id = 1;
    person.name = "x";
    person.employment.set<tag::employer>("y");
    std::array<std::byte, 72> out{};
    check(addressbook::encode(person, out).value() == 72, "size");
    const auto word = [&out](std::size_t index) { return aldis::load<std::uint64_t, aldis::little>(out.data() + 8 * index); };
    check(word(0) == 8ULL << 32, "one segment of eight words");
    check(word(1) == (1ULL << 32 | 4ULL << 48), "root: a word of data, four pointers");
    check(word(2) == (1 | 1ULL << 32), "id and the tag of the union");
    check(word(3) == ((3 << 2 | 1) | (2 | 2ULL << 3) << 32), "name: two bytes behind the pointers");
    check(word(4) == 0 && word(5) == 0, "nulls");
    check(word(6) == ((1 << 2 | 1) | (2 | 2ULL << 3) << 32), "employer");
    check(word(7) == 'x' && word(8) == 'y', "texts with zeros behind them");
    check(addressbook::encode(person, std::span(out).first(71)).error().what == aldis::code::no_room, "no room");
}

void unions() {
    addressbook::Person_employment employment;
    check(employment.which() == tag::unemployed && employment.get<tag::unemployed>() != nullptr, "begins with tag 0");
    check(employment.get<tag::school>() == nullptr, "another arm");
    employment.set<tag::school>("MIT");
    check(**employment.get<tag::school>() == "MIT" && employment != addressbook::Person_employment(), "set");
    check(employment == addressbook::Person_employment::of<tag::school>("MIT"), "of");
    check(&employment.present<tag::school>() == employment.get<tag::school>(), "present keeps what is there");
}

void json(const addressbook::AddressBook& book) {
    const auto text = addressbook::to_json(book);
    const std::string wanted =
        R"({"people":[{"id":123,"name":"Ada","phones":[{"number":"555-1212","type":"work"}],"employment":{"school":"MIT"}},)"
        R"({"id":0,"employment":{"selfEmployed":null}},{"id":0,"employment":{}}]})";
    check(*text == wanted, "to_json");
    addressbook::AddressBook read = sample();
    check(addressbook::from_json(R"({"new":[{}],"people":[{"id":"7","employment":{"employer":"A"}}]})", read).ok(), "from_json");
    check(read.people->size() == 1 && read.people->front().id == 7, "from_json: members");
    check(**read.people->front().employment.get<tag::employer>() == "A", "from_json: union");
    const auto two = addressbook::from_json(R"({"people":[{"employment":{"school":"A","employer":"B"}}]})", read);
    check(two.error().what == aldis::code::bad_json && two.error().path == "people[0].employment.employer", "two arms");
    // A key that means nothing, with a value that is wrong: characters are kept whole.
    std::string key;
    for (int i = 0; i < 1'000'000; ++i) {
        key += "€";
    }
    const std::string ends = key.substr(0, 198);
    const auto wrong = addressbook::from_json(R"({"people":[{")" + key + R"(":x}]})", read);
    check(wrong.error().path == "people[0]." + ends + "… (2999604 more bytes) …" + ends, "a long key");
    std::ostringstream shown;
    shown << book;
    check(shown.str() == wanted, "printed");
}

/// A message that is cut or damaged is refused, or read as some value: nothing else happens.
void damage(const addressbook::AddressBook& book) {
    aldis::buffer out;
    const auto bytes = *addressbook::encode(book, out);
    const std::vector<std::byte> good(bytes.begin(), bytes.end());
    addressbook::AddressBook read;
    for (std::size_t size = 0; size < good.size(); ++size) {
        check(!addressbook::decode(std::span(good).first(size), read), "cut");
    }
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (const unsigned flip : {1U, 0x80U, 0xFFU}) {
            std::vector<std::byte> bad = good;
            bad[at] ^= static_cast<std::byte>(flip);
            if (addressbook::decode(bad, read)) {
                check(addressbook::encode(read, out).ok(), "what was read can be written");
            }
        }
    }
    // The list's pointer leads far outside.
    std::vector<std::byte> bad = good;
    aldis::store<aldis::little>(bad.data() + 16, std::uint64_t{15} << 32 | 0x1FFFFFFD);
    const auto fault = addressbook::decode(bad, read);
    check(fault.error().what == aldis::code::bad_pointer && fault.error().path == "people", "fault");
    check(fault.error().offset == 16, "where");
    // A packed message of one segment without words. Its bytes are the unpacked ones, so no place is given.
    const std::vector<std::byte> empty(2);
    const auto nothing = addressbook::decode_packed(empty, read);
    check(nothing.error().what == aldis::code::truncated, "a segment without words");
    check(nothing.error().offset == aldis::error::nowhere, "where in packed bytes");
}

}  // namespace

int main() {
    round_trips(sample());
    round_trips({});
    words_are_where_they_belong();
    unions();
    json(sample());
    damage(sample());
    return 0;
}
