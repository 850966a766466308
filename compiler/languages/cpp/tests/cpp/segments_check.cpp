// Messages of Cap'n Proto read and written in place. The first argument is the folder of golden messages.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <ranges>
#include <type_traits>

#include "addressbook_view.hpp"
#include "addressbook_writer.hpp"
#include "edge_view.hpp"
#include "edge_writer.hpp"
#include "layout_view.hpp"
#include "layout_writer.hpp"

namespace {

int failures = 0;
std::size_t allocations = 0;

void expect(bool condition, std::string_view what) {
    if (!condition) {
        std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
        ++failures;
    }
}

std::vector<std::byte> file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
    return {bytes, bytes + text.size()};
}

// ---- an address book --------------------------------------------------------------------------------------------

using tag = addressbook::Person_employment::tag;

void fill(const addressbook::writer::AddressBook& book) {
    const auto people = book.people(2);
    const auto ada = people[0];
    ada.id(123);
    ada.name("Ada");
    const auto phones = ada.phones(1);
    phones[0].number("555-1212");
    phones[0].type(addressbook::Person_PhoneNumber_Type::work);
    ada.employment().set<tag::school>("MIT");
    // A message of a newer schema, which has an arm more.
    people[1].employment().set_unknown(static_cast<tag>(7));
}

addressbook::AddressBook sample() {
    addressbook::AddressBook book;
    auto& people = book.people.emplace();
    addressbook::Person& ada = people.emplace_back();
    ada.id = 123;
    ada.name = "Ada";
    ada.phones.emplace().push_back({"555-1212", addressbook::Person_PhoneNumber_Type::work});
    ada.employment.set<tag::school>("MIT");
    people.emplace_back().employment.set_unknown(static_cast<tag>(7));
    return book;
}

void read_people(const addressbook::view::AddressBook& book, const char* what) {
    using people = decltype(book.people());
    static_assert(std::ranges::random_access_range<people> && std::ranges::view<people>);
    static_assert(std::ranges::borrowed_range<people>);
    static_assert(std::is_trivially_copyable_v<addressbook::view::Person> && sizeof(addressbook::view::Person) <= 24);
    bool good = book.people().size() == 2;
    for (const auto person : book.people()) {
        good = good && person.id() == (person.name().has_value() ? 123 : 0);
        good = good && (person.phones().has_value() == person.name().has_value());
    }
    const auto ada = book.people()[0];
    good = good && ada.name() == "Ada" && !ada.email() && ada.phones().front().number() == "555-1212" &&
           ada.phones()[0].type() == addressbook::Person_PhoneNumber_Type::work && ada.employment().which() == tag::school &&
           **ada.employment().get<tag::school>() == "MIT" && !ada.employment().get<tag::employer>();
    const auto other = book.people()[1];
    good = good && other.employment().which() == static_cast<tag>(7) && other.phones().empty() && other.phones().begin() == other.phones().end();
    expect(good, what);
}

/// A message is written, read in place and written again without memory being taken.
void round_trip() {
    aldis::buffer out;
    const auto wanted = *addressbook::encode(sample(), out);
    std::vector<std::byte> room(1024, std::byte{0xFF});
    aldis::segments::draft draft(room);
    const std::size_t before = allocations;
    for (int times = 0; times < 2; ++times) {
        fill(addressbook::write<addressbook::AddressBook>(draft));
        const auto made = draft.finish();
        expect(made.ok() && std::ranges::equal(*made, wanted), "the book is written otherwise");
        read_people(*addressbook::verify<addressbook::AddressBook>(*made), "the book is read otherwise");
    }
    expect(allocations == before, "views or writers take memory");

    aldis::buffer grown;
    aldis::segments::draft growing(grown);
    fill(addressbook::write<addressbook::AddressBook>(growing));
    expect(std::ranges::equal(*growing.finish(), wanted) && std::ranges::equal(grown.bytes(), wanted), "a draft that grows");

    const auto packed = *addressbook::encode_packed(sample(), out);
    aldis::buffer unpacked;
    for (int times = 0; times < 2; ++times) {
        const std::size_t taken = allocations;
        read_people(*addressbook::verify_packed<addressbook::AddressBook>(packed, unpacked), "packed");
        expect(times == 0 || allocations == taken, "the memory for unpacked bytes is not used again");
    }
    const auto canonical = *addressbook::encode_canonical(sample(), out);
    read_people(*addressbook::verify_canonical<addressbook::AddressBook>(canonical), "canonical");
    expect(addressbook::view::Person().id() == 0 && !addressbook::view::Person().name(), "a view of nothing");
}

/// Each room that is too small.
void room() {
    std::vector<std::byte> large(1024);
    aldis::segments::draft whole(large);
    fill(addressbook::write<addressbook::AddressBook>(whole));
    const std::size_t size = whole.finish()->size();
    for (std::size_t less = 0; less < size; ++less) {
        std::vector<std::byte> small(less);
        aldis::segments::draft draft(small);
        fill(addressbook::write<addressbook::AddressBook>(draft));
        const auto made = draft.finish();
        expect(!made && made.error().what == aldis::code::no_room, "what does not fit is written");
    }
}

/// The words of the fault that a draft ends with.
std::string said(aldis::segments::draft& draft) { return to_string(draft.finish().error()); }

/// A fault stays noted, and nothing is written where nothing is.
void misuse() {
    std::vector<std::byte> memory(1024);
    aldis::segments::draft draft(memory);
    expect(!draft.finish(), "nothing is a message");
    const auto book = addressbook::write<addressbook::AddressBook>(draft);
    expect(draft.finish()->size() == 24, "an empty book");
    const auto people = book.people(1);
    people[1].id(1);
    people[1].phones(3)[2].number("1");
    people[1].employment().set<tag::school>("x");
    expect(said(draft) == "bad-value: there is no element 1: the list has 1", "an element that is not there");
    people[0].id(1);
    expect(!draft.finish(), "a fault goes away");

    const auto lists = edge::write<edge::Lists>(draft);
    lists.u8(3).set(3, 1);
    expect(said(draft) == "bad-value: there is no element 3: the list has 3", "a number that is not there");
    edge::write<edge::Lists>(draft).v(std::size_t{1} << 29);
    expect(said(draft) == "out-of-range: 536870912 elements, where there may be 0 to 536870911",
           "a list that is too long");

    aldis::segments::draft shallow(memory, {.depth = 3});
    const auto first = edge::write<edge::Rec>(shallow);
    first.next().next().n(1);
    expect(shallow.finish().ok(), "as deep as may be");
    edge::write<edge::Rec>(shallow).next().next().next().n(1);
    expect(said(shallow) == "too-deep: it nests deeper than `limits::depth` allows", "deeper");
}

// ---- what another arm left --------------------------------------------------------------------------------------

void arms() {
    using arm = layout::U8groups_choice::tag;
    std::vector<std::byte> memory(1024);
    aldis::segments::draft draft(memory);
    const auto to = layout::write<layout::U8groups>(draft);
    to.e(9);
    const auto a = to.choice().set<arm::a>();
    a.p(0xFF);
    a.q(~std::uint64_t{0});
    a.r("left");
    to.choice().set<arm::a>().p(0xFE);
    const auto of_a = *layout::verify<layout::U8groups>(*draft.finish());
    const auto group = of_a.choice().get<arm::a>();
    expect(group->p() == 0xFE && group->q() == ~std::uint64_t{0} && group->r() == "left", "an arm that is set again");
    to.choice().set<arm::b>().r(true);
    const auto of_b = *layout::verify<layout::U8groups>(*draft.finish());
    const auto other = of_b.choice().get<arm::b>();
    expect(other->p() == 0 && other->r() && !other->q() && !other->s() && of_b.e() == 9, "what another arm left is seen");
    to.choice().set<arm::d>(true);
    const auto of_d = *layout::verify<layout::U8groups>(*draft.finish());
    expect(of_d.choice().get<arm::d>() == true && of_d.e() == 9, "a bit");
}

void defaults() {
    std::vector<std::byte> memory(1024);
    aldis::segments::draft draft(memory);
    const auto to = edge::write<edge::IntsXor>(draft);
    const auto unset = *edge::verify<edge::IntsXor>(*draft.finish());
    expect(unset.i8() == -128 && unset.u64() == ~std::uint64_t{0} && unset.b() && unset.e() == edge::E::c, "defaults");
    to.i8(0);
    to.b(false);
    to.e(edge::E::a);
    const auto set = *edge::verify<edge::IntsXor>(*draft.finish());
    expect(set.i8() == 0 && set.u16() == 0x8000 && !set.b() && set.e() == edge::E::a, "what is set");
    to.b(true);
    expect(edge::verify<edge::IntsXor>(*draft.finish())->b(), "a bit that is set again");
}

void lists() {
    std::vector<std::byte> memory(1024);
    aldis::segments::draft draft(memory);
    const auto to = edge::write<edge::Lists>(draft);
    to.v(3);
    to.b(std::vector<bool>{true, false, true});
    const std::array<std::uint8_t, 3> numbers{1, 2, 3};
    to.u8(numbers);
    const auto outer = to.lt(2);
    outer.set(1, 2).set(0, "x");
    const auto enums = to.e(2);
    enums.set(1, edge::E::c);
    const auto from = *edge::verify<edge::Lists>(*draft.finish());
    std::array<std::uint8_t, 3> copied{};
    from.u8().copy_to(copied.data());
    expect(from.v().size() == 3 && from.b()[0] && !from.b()[1] && from.b().end()[-1] && copied == numbers, "plain lists");
    expect(!from.lt()[0].has_value() && from.lt()[1].size() == 2 && from.lt()[1][0] == "x" && !from.lt()[1][1], "texts");
    expect(from.e()[0] == edge::E::a && from.e()[1] == edge::E::c && !from.s().has_value(), "enums");
    to.u8(std::nullopt);
    to.lt(std::nullopt);
    const auto again = *edge::verify<edge::Lists>(*draft.finish());
    expect(!again.u8().has_value() && !again.lt().has_value() && again.v().has_value(), "nulls");
}

// ---- what is taken back -----------------------------------------------------------------------------------------

bool tells(std::span<const std::byte> message, std::string_view text) {
    const auto* const first = reinterpret_cast<const char*>(message.data());
    return std::string_view(first, message.size()).find(text) != std::string_view::npos;
}

/// A pointer that is set again leaves zeros in the place of the object that it led to, and of all that this led to.
void taken_back() {
    std::vector<std::byte> memory(4096);
    aldis::segments::draft draft(memory);
    const auto to = edge::write<edge::Lists>(draft);
    const auto fill_lists = [&to] {
        to.lt(2).set(1, 2).set(0, "secret");
        to.s(2)[1].i64(0x746572636573);
        to.u8(std::array<std::uint8_t, 6>{'s', 'e', 'c', 'r', 'e', 't'});
    };
    fill_lists();
    expect(tells(*draft.finish(), "secret"), "what was written is not there");
    const std::size_t size = draft.finish()->size();
    fill_lists();
    const auto twice = *draft.finish();
    const auto first = twice.subspan(40 + 72, size - 40 - 72);
    expect(twice.size() > size && !tells(first, "secret"), "lists that are set again leave bytes");
    to.lt(0);
    to.s(std::nullopt);
    to.u8(std::nullopt);
    expect(!tells(*draft.finish(), "secret"), "lists that are taken back leave bytes");

    const auto any = edge::write<edge::Any>(draft);
    aldis::buffer room;
    edge::Texts secret;
    secret.a = "secret";
    const auto inner = *edge::encode(secret, room);
    any.p(aldis::any_pointer{{inner.begin() + 8, inner.end()}});
    expect(tells(*draft.finish(), "secret"), "a value of open type is not there");
    any.p(std::nullopt);
    expect(!tells(*draft.finish(), "secret"), "a value of open type leaves bytes");

    const auto person = addressbook::write<addressbook::AddressBook>(draft).people(1)[0];
    person.employment().set<tag::school>("secret");
    person.employment().set<tag::employer>("work");
    expect(!tells(*draft.finish(), "secret") && tells(*draft.finish(), "work"), "another arm's text leaves bytes");
}

// ---- values of open type that share what they lead to ------------------------------------------------------------

template <class... Words>
aldis::any_pointer open_message(const Words&... words) {
    aldis::any_pointer made;
    for (const std::uint64_t bits : {words...}) {
        made.message.resize(made.message.size() + 8);
        aldis::segments::store_word(made.message.data() + made.message.size() - 8, bits);
    }
    return made;
}

/// By value and by writer.
void expect_open(const aldis::any_pointer& value, aldis::code wanted, const char* what) {
    edge::Any holder;
    holder.p = value;
    aldis::buffer out;
    const auto made = edge::encode(holder, out);
    expect(!made && made.error().what == wanted, what);
    aldis::buffer room;
    aldis::segments::draft draft(room);
    edge::write<edge::Any>(draft).p(value);
    const auto written = draft.finish();
    expect(!written && written.error().what == wanted, what);
}

void shared() {
    using namespace aldis::segments;
    // Each record leads to the next one twice, forty times.
    aldis::any_pointer twice = open_message(record_word(0, 0, 2));
    for (int level = 0; level < 40; ++level) {
        const auto pair = open_message(record_word(1, 0, 2), record_word(0, 0, 2));
        twice.message.insert(twice.message.end(), pair.message.begin(), pair.message.end());
    }
    twice.message.resize(twice.message.size() + 16);
    expect_open(twice, aldis::code::too_large, "records that are shared are copied without end");

    // Records that take no bytes, each time as many as a list can have: copies of them take no time, and are not read.
    constexpr std::size_t times = 1000;
    aldis::any_pointer empty = open_message(list_word(0, element_size::pointer, times));
    empty.message.resize(8 * (1 + times + 1));
    for (std::size_t index = 0; index < times; ++index) {
        const auto far = static_cast<std::int64_t>(times - index - 1);
        store_word(empty.message.data() + 8 * (1 + index), list_word(far, element_size::record, 0));
    }
    store_word(empty.message.data() + 8 * (1 + times), tag_word(max_count, 0, 0));
    edge::Any holder;
    holder.p = empty;
    aldis::buffer out;
    const auto made = edge::encode(holder, out);
    expect(!made && made.error().what == aldis::code::too_large, "more empty records are written than are read");
    // As many as are read are written.
    store_word(empty.message.data() + 8 * (1 + times), tag_word(30, 0, 0));
    holder.p = empty;
    const auto few = edge::encode(holder, out);
    expect(few.ok() && edge::decode<edge::Any>(*few).ok(), "empty records are not copied");
}

// ---- verdicts ---------------------------------------------------------------------------------------------------

template <class Message>
void agree(std::span<const std::byte> bytes, const std::string& name) {
    const auto value = edge::decode<Message>(bytes);
    const auto view = edge::verify<Message>(bytes);
    // Values may take more memory than bytes may ask for, where views take none.
    const bool memory = !value && value.error().what == aldis::code::too_large;
    const bool same = value.ok() == view.ok() && (value.ok() || value.error() == view.error());
    expect(same || memory, name + ": verify and decode disagree");
}

template <class... Messages>
void agree_all(const std::filesystem::path& path) {
    const auto bytes = file(path);
    (agree<Messages>(bytes, path.string()), ...);
}

/// Random and damaged bytes are read as a message of every type.
void verdicts(const std::filesystem::path& folder) {
    std::size_t files = 0;
    for (const char* const kind : {"malicious", "framing", "multiseg", "evolve"}) {
        for (const auto& entry : std::filesystem::directory_iterator(folder / kind)) {
            if (entry.path().extension() == ".bin") {
                agree_all<edge::Rec, edge::Lists, edge::Texts, edge::HasEmpty, edge::Any, edge::WithDef>(entry.path());
                ++files;
            }
        }
    }
    expect(files > 50, "there are few messages");
}

/// Through far pointers, landing pads and many segments.
void segments(const std::filesystem::path& folder) {
    const auto chain = file(folder / "multiseg/rec-seg2.bin");
    const std::size_t before = allocations;
    const auto view = edge::verify<edge::Rec>(chain);
    expect(view.ok() && allocations <= before + 1, "several segments take memory besides their table");
    std::size_t depth = 0;
    for (std::optional<edge::view::Rec> at = *view; at; at = at->next()) {
        ++depth;
    }
    expect(depth > 1, "a chain through segments");
}

}  // namespace

void* operator new(std::size_t size) {
    ++allocations;
    return std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main(int, char** arguments) {
    const std::filesystem::path folder = arguments[1];
    round_trip();
    room();
    misuse();
    arms();
    defaults();
    lists();
    taken_back();
    shared();
    verdicts(folder);
    segments(folder);
    return failures == 0 ? 0 : 1;
}
