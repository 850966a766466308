// Values whose memory comes from an arena: decoding into a new one takes none from anywhere else, and copies and what is read
// from JSON none of the default resource. The first argument is the folder of golden messages.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <memory_resource>

#include <aldis/stream.hpp>

#include "addressbook_json.hpp"
#include "addressbook_view.hpp"
#include "addressbook_writer.hpp"
#include "edge_json.hpp"
#include "edge_view.hpp"
#include "edge_writer.hpp"
#include "extra_json.hpp"
#include "h2dims_json.hpp"
#include "memory.hpp"

namespace {

int failures = 0;
/// Messages that were decoded, and JSON that was read.
int decoded = 0;
int read_json = 0;

void expect(bool condition, const std::string& what) {
    if (!condition) {
        std::fprintf(stderr, "%s\n", what.c_str());
        ++failures;
    }
}

using bytes = std::vector<std::byte>;

/// Memory for values that ends the program where it does not suffice.
struct arena {
    bytes room = bytes(std::size_t{1} << 20);
    std::pmr::monotonic_buffer_resource memory{room.data(), room.size(), std::pmr::null_memory_resource()};
};

/// The functions of a form, for values of any type.
template <class Decode, class Encode>
struct form {
    Decode decode;
    Encode encode;
    /// Whether its decoder takes no memory of its own.
    bool is_lean = true;
};
template <class Decode, class Encode>
form(Decode, Encode) -> form<Decode, Encode>;
template <class Decode, class Encode>
form(Decode, Encode, bool) -> form<Decode, Encode>;

template <class Form, class T>
bytes encoded(const Form& of, const T& value) {
    aldis::buffer out;
    const auto written = of.encode(value, out);
    return written ? bytes(written->begin(), written->end()) : bytes();
}

/// Reads JSON into a new value of an arena, and expects that no other resource gives memory, and what its bytes are.
template <class T, class Form>
void check_json(const Form& of, const std::string& json, const bytes& expected, const std::string& what) {
    arena own;
    T value = std::make_obj_using_allocator<T>(std::pmr::polymorphic_allocator<>(&own.memory));
    auto* const usual = std::pmr::set_default_resource(std::pmr::null_memory_resource());
    const bool read = from_json(json, value).ok();
    std::pmr::set_default_resource(usual);
    if (read) {
        ++read_json;
        expect(encoded(of, value) == expected, what + " has JSON that says something else");
    }
}

/// Decodes into a new value of an arena, and expects that nothing else gives memory, and that copies are the same.
template <class T, class Form>
void check(const Form& of, const bytes& in, const std::string& what) {
    T plain;
    if (!of.decode(in, plain)) {
        return;
    }
    ++decoded;
    arena own;
    const std::pmr::polymorphic_allocator<> own_memory(&own.memory);
    T value = std::make_obj_using_allocator<T>(own_memory);
    auto* const usual = std::pmr::set_default_resource(std::pmr::null_memory_resource());
    bool read_again = false;
    const std::size_t taken = memory::taken([&] { read_again = of.decode(in, value); });
    const T moved = std::make_obj_using_allocator<T>(own_memory, std::move(value));
    const T copied = std::make_obj_using_allocator<T>(own_memory, moved);
    std::pmr::set_default_resource(usual);
    expect(read_again, what + " is refused");
    expect(taken == 0 || !of.is_lean, what + " takes memory from elsewhere");

    const bytes expected = encoded(of, plain);
    T assigned;
    assigned = copied;
    T another = copied;
    another = std::move(assigned);
    expect(encoded(of, moved) == expected && encoded(of, copied) == expected, what + " is read otherwise");
    expect(encoded(of, another) == expected, what + " is assigned otherwise");
    if (const auto json = to_json(copied); json) {
        check_json<T>(of, *json, expected, what);
    }
}

bytes contents(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto* const first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

/// Calls `each` with all messages below a folder whose names end so.
template <class Each>
void messages(const std::filesystem::path& folder, const std::string& ending, Each each) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file() && entry.path().filename().string().ends_with(ending)) {
            each(contents(entry.path()), entry.path().filename().string());
        }
    }
}

/// Tries a message as each of the types.
template <class Form, class... Types>
void as_any(const Form& of, const bytes& in, const std::string& what, const aldis::message_values<Types...>*) {
    (check<Types>(of, in, what), ...);
}

/// A person with an arm of the union that takes memory, and one without.
void unions() {
    addressbook::AddressBook book;
    auto& people = book.people.emplace();
    people.emplace_back().name = "somebody whose name is too long to be held in place";
    people[0].employment.set<addressbook::Person_employment::tag::school>("a school whose name is long, too");
    people[0].phones.emplace().emplace_back().number = "0123456789";
    people.emplace_back().employment.set<addressbook::Person_employment::tag::selfEmployed>();
    const form framed{[](const bytes& in, auto& value) { return addressbook::decode(in, value).ok(); },
                      [](const auto& value, aldis::buffer& out) { return addressbook::encode(value, out); }};
    const int before = decoded;
    check<addressbook::AddressBook>(framed, encoded(framed, book), "an address book");
    expect(decoded == before + 1, "an address book is refused");
    addressbook::AddressBook copy = book;
    copy.people->front().employment = addressbook::Person_employment();
    expect(copy != book, "a union keeps what was assigned");
    copy = book;
    expect(copy == book, "an address book is not what it was copied from");
}

struct node {
    int number = 0;
    aldis::pmr::box<node> next;
};

/// A box that takes, or copies, what lies in the one that it holds.
void chains() {
    aldis::pmr::box<node> head = node{1, node{2, node{3, {}}}};
    head = head->next;
    expect(head->number == 2 && head->next->number == 3, "a chain is not what its rest was");
    head = std::move(head->next);
    expect(head->number == 3 && !head->next.has_value(), "a chain is not what was taken of it");
}

/// A message that is written in place holds the values that were given, and views of it say the same.
void in_place() {
    addressbook::AddressBook book;
    auto& person = book.people.emplace().emplace_back();
    person.name = "somebody";
    person.phones.emplace().emplace_back().number = "0123456789";
    aldis::buffer room;
    aldis::segments::draft draft(room);
    const auto to = addressbook::write<addressbook::AddressBook>(draft).people(1)[0];
    to.name(person.name);
    to.phones(1)[0].number(person.phones->front().number);
    const auto written = draft.finish();
    addressbook::AddressBook read;
    expect(written && addressbook::decode(*written, read) && read == book, "an address book is written otherwise");
    const auto view = addressbook::verify<addressbook::AddressBook>(*written);
    expect(view && view->people()[0].name() == std::string_view(*person.name), "an address book is viewed otherwise");
}

/// Writers take values whose memory is an arena's: bits, numbers, texts, and values of open type.
void values_in_place() {
    arena own;
    edge::Lists lists(&own.memory);
    lists.b.emplace().assign({true, false, true});
    lists.u8.emplace().assign(3, 7);
    lists.lt.emplace().emplace_back().emplace().emplace_back("a text");
    aldis::buffer room;
    const auto encoded = edge::encode(lists, room);
    const bytes expected(encoded->begin(), encoded->end());
    aldis::segments::draft draft(room);
    const auto to = edge::write<edge::Lists>(draft);
    to.u8(lists.u8);
    to.b(lists.b);
    to.lt(1).set(0, 1).set(0, (*lists.lt->front())[0]);
    edge::Lists read;
    expect(edge::decode(*draft.finish(), read) && read == lists, "lists of an arena are written otherwise");

    edge::Any open(&own.memory);
    open.p.emplace().message.assign(expected.begin() + 8, expected.end());
    edge::write<edge::Any>(draft).p(open.p);
    edge::Any opened;
    expect(edge::decode(*draft.finish(), opened) && opened == open, "a value of open type is written otherwise");
}

/// Values of open type that were viewed.
int viewed = 0;

/// A message's value of open type, where it has one.
void open_values(const bytes& in, const std::string& what) {
    edge::Any value;
    const auto view = edge::verify<edge::Any>(in);
    if (edge::decode(in, value) && view && value.p.has_value()) {
        ++viewed;
        expect(std::ranges::equal(view->p()->copy().message, value.p->message), what + " is viewed otherwise");
    }
}

}  // namespace

int main(int, char** arguments) {
    const std::filesystem::path folder = arguments[1];
    const form standard{[](const bytes& in, auto& value) { return extra::decode(in, value).ok(); },
                        [](const auto& value, aldis::buffer& out) { return extra::encode(value, out); }};
    const form final_form{[](const bytes& in, auto& value) { return extra::decode_final(in, value).ok(); },
                          [](const auto& value, aldis::buffer& out) { return extra::encode_final(value, out); }};
    const form sbe{[](const bytes& in, auto& value) { return h2dims::decode(in, value).ok(); },
                   [](const auto& value, aldis::buffer& out) { return h2dims::encode(value, out); }};
    const form framed{[](const bytes& in, auto& value) { return edge::decode(in, value).ok(); },
                      [](const auto& value, aldis::buffer& out) { return edge::encode(value, out); }};
    const form packed{[](const bytes& in, auto& value) { return edge::decode_packed(in, value).ok(); },
                      [](const auto& value, aldis::buffer& out) { return edge::encode_packed(value, out); },
                      false};
    const auto any = [](const auto& of, const auto* types) {
        return [&of, types](const bytes& in, const std::string& name) { as_any(of, in, name, types); };
    };
    // Every kind of collection.
    using extra_types = aldis::message_values<extra::Optionals, extra::Arrays, extra::Sets, extra::Maps>;
    const extra_types* const all = nullptr;
    messages(folder / "fbe", ".std.bin", any(standard, all));
    expect(decoded > 4, "messages of FBE are not found");
    messages(folder / "fbe", ".final.bin", any(final_form, all));
    expect(decoded > 8, "messages of FBE Final are not found");
    const int before = decoded;
    const aldis::message_values<h2dims::Dims>* const groups = nullptr;
    messages(folder / "sbe", ".bin", any(sbe, groups));
    expect(decoded > before, "messages of SBE are not found");
    using edge_types = aldis::message_values<edge::Texts, edge::Lists, edge::Rec, edge::Any, edge::WithDef>;
    const edge_types* const edges = nullptr;
    const int others = decoded;
    messages(folder / "capnp" / "msg", ".bin", any(framed, edges));
    expect(decoded > others, "messages of Cap'n Proto are not found");
    messages(folder / "capnp" / "msg", ".packed", any(packed, edges));
    messages(folder / "capnp" / "msg", ".bin", open_values);
    expect(viewed > 0, "values of open type are not found");
    expect(read_json > 20, "JSON is not found");
    unions();
    chains();
    in_place();
    values_in_place();
    return failures == 0 ? 0 : 1;
}
