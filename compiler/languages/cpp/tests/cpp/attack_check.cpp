// The messages that broke FBE's own generated code, and their kin: each must end in its fault, soon, without much memory, and
// (the sanitizers see to that) without a look outside of it. The first argument is the folder of golden messages.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>

#include "attack_json.hpp"
#include "attack_view.hpp"
#include "memory.hpp"
#include "proto_view.hpp"

namespace {

using bytes = std::vector<std::byte>;
using aldis::code;

int failures = 0;
std::string folder;

void expect(bool condition, const char* attack, const std::string& what) {
    if (!condition) {
        std::fprintf(stderr, "%s: %s\n", attack, what.c_str());
        ++failures;
    }
}

bytes golden(const std::string& name) {
    std::ifstream in(folder + "/" + name, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto from = aldis::bytes_of(text);
    return {from.begin(), from.end()};
}

void put(bytes& message, std::size_t at, std::uint32_t value) { aldis::store<aldis::little>(message.data() + at, value); }

bytes words(std::initializer_list<std::uint32_t> numbers) {
    bytes made(numbers.size() * 4);
    std::size_t at = 0;
    for (const std::uint32_t number : numbers) {
        put(made, at, number);
        at += 4;
    }
    return made;
}

/// Decodes and verifies a message, which is of exactly so many bytes: a look behind them is seen.
constexpr auto account = [](const bytes& message) {
    return std::pair(proto::decode<proto::Account>(message), proto::verify<proto::Account>(message));
};
constexpr auto order_final = [](const bytes& message) {
    return std::pair(proto::decode_final<proto::Order>(message), proto::verify_final<proto::Order>(message));
};
template <class Message>
constexpr auto standard = [](const bytes& message) {
    return std::pair(attack::decode<Message>(message), attack::verify<Message>(message));
};
template <class Message>
constexpr auto final_form = [](const bytes& message) {
    return std::pair(attack::decode_final<Message>(message), attack::verify_final<Message>(message));
};

/// Neither decoding nor verifying may come to anything but `expected`, take longer than a few seconds, or more memory than
/// is allowed.
template <class Both>
void must_fail(const char* attack, code expected, const bytes& message, Both both) {
    const auto start = std::chrono::steady_clock::now();
    const std::size_t taken = memory::taken([&] {
        const auto [read, view] = both(message);
        expect(!read && read.error().what == expected, attack, read ? "decoded" : aldis::to_string(read.error()));
        expect(!view && view.error().what == expected, attack, view ? "verified" : aldis::to_string(view.error()));
    });
    expect(taken <= memory::allowed(message.size()), attack, "took " + std::to_string(taken) + " bytes of memory");
    expect(std::chrono::steady_clock::now() - start < std::chrono::seconds(5), attack, "took long");
}

void roots() {
    bytes message = golden("proto_account_readme.std.bin");
    message.resize(16);
    put(message, 0, 16);
    put(message, 4, 0x7F00'0000);
    must_fail("a root far away", code::bad_pointer, message, account);
    expect(!proto::identify(message), "a root far away", "was identified");
    for (std::size_t size = 0; size < 8; ++size) {
        must_fail("fewer bytes than a root has", code::truncated, bytes(size), account);
        expect(!proto::identify(bytes(size)), "fewer bytes than a root has", "were identified");
    }
}

/// Counts, which FBE's code reserves memory for, and which its `verify` counts to.
void counts() {
    constexpr std::size_t orders = 8 + 0x60;
    for (const std::uint32_t count : {4U, 100'000'000U, 0xFFFF'FFFFU}) {
        bytes message = golden("proto_account_readme.std.bin");
        put(message, orders, count == 4 ? 148 : count);
        must_fail("more orders than bytes", code::bad_count, message, account);
        message = words({28, 8, 12, 6, 12, count == 4 ? 2 : count, 7});
        must_fail("more numbers than bytes", code::bad_count, message, standard<attack::Numbers>);
    }
    bytes message = golden("proto_account_readme.std.bin");
    put(message, 8 + 30, 0xFFFF'FFFF);
    must_fail("a name longer than all", code::bad_count, message, account);
    must_fail("more records without bytes than may be", code::too_large, words({12, 3, 0xFFFF'FFFF}), final_form<attack::Many>);
}

/// Links that all lead to one large record: few bytes that would make many.
void aliases() {
    constexpr std::uint32_t count = 5000;
    constexpr std::uint32_t size = 200'000;
    constexpr std::uint32_t record = 24 + 4 * count;
    bytes message(record + 16 + size);
    put(message, 0, static_cast<std::uint32_t>(message.size()));
    put(message, 4, 8);
    put(message, 8, 12);
    put(message, 12, 5);
    put(message, 16, 12);
    put(message, 20, count);
    for (std::uint32_t index = 0; index < count; ++index) {
        put(message, 24 + 4 * index, record - 8);
    }
    put(message, record, 12);
    put(message, record + 4, 4);
    put(message, record + 8, 12);
    put(message, record + 12, size);
    must_fail("links to one record", code::too_large, message, standard<attack::Blobs>);
    put(message, 20, 1);
    const auto [read, view] = standard<attack::Blobs>(message);
    expect(read && view && read->all.size() == 1, "one link to one record", "is refused");
}

/// Arrays whose links all lead to one array, again and again: 200 times the work a level.
void branches() {
    constexpr std::uint32_t count = 200;
    constexpr std::uint32_t block = 8 + 5 * count;
    constexpr std::uint32_t level_size = block + 4;
    bytes message(8 + 4 * level_size + 12);
    put(message, 0, static_cast<std::uint32_t>(message.size()));
    put(message, 4, 8);
    for (std::uint32_t level = 0; level < 4; ++level) {
        const std::uint32_t at = 8 + level * level_size;
        put(message, at, block);
        put(message, at + 4, 11 - level);
        for (std::uint32_t index = 0; index < count; ++index) {
            message[at + 8 + 5 * index] = std::byte{1};
            put(message, at + 9 + 5 * index, block);
        }
        put(message, at + block, 4);
    }
    put(message, 8 + 4 * level_size, 12);
    put(message, 12 + 4 * level_size, 7);
    must_fail("branches to one branch", code::too_large, message, standard<attack::Trunk>);
}

void nesting() {
    bytes message = words({0, 8});
    for (int level = 0; level < 70; ++level) {
        const std::size_t at = message.size();
        message.resize(at + 17);
        put(message, at, 13);
        put(message, at + 4, 1);
        message[at + 8] = std::byte{level < 69};
        put(message, at + 9, 13);
        put(message, at + 13, 4);
    }
    put(message, 0, static_cast<std::uint32_t>(message.size()));
    must_fail("records within records", code::too_deep, message, standard<attack::Node>);
    bytes nested = words({108, 1});
    nested.resize(108, std::byte{1});
    must_fail("records within records, Final", code::too_deep, nested, final_form<attack::Node>);
}

void final_sizes() {
    bytes message = golden("proto_order.final.bin");
    const std::size_t size = message.size();
    put(message, 0, 7);
    must_fail("a Final message of size 7", code::bad_value, message, order_final);
    for (std::size_t left = 0; left < size; ++left) {
        bytes cut = golden("proto_order.final.bin");
        cut.resize(left);
        const auto [read, view] = order_final(cut);
        expect(!read && !view, "a Final message that was cut", "is read");
    }
    bytes optional = words({9, 1});
    optional.push_back(std::byte{1});
    must_fail("an optional record that is not there", code::truncated, optional, final_form<attack::Node>);
}

/// The bytes in the place of a record without a value must not be those that the memory had before.
void stale_memory() {
    attack::Node node;
    bytes clean(256);
    bytes stale(256, std::byte{0xAA});
    const auto first = attack::encode(node, clean);
    const auto second = attack::encode(node, stale);
    expect(first && second && *first == *second && std::equal(clean.begin(), clean.begin() + static_cast<std::ptrdiff_t>(*first),
                                                              stale.begin()),
           "an absent optional", "shows what the memory had before");
    node.next = attack::Node{};
    clean.resize(*first);
    expect(attack::decode(clean, node) && !node.next.has_value(), "an absent optional", "leaves what the object had before");
}

void base64() {
    for (const char* text : {"A", "AA", "AAA", "AAAAA", "====", "AA=A", "A===", "AB==", "AAA\u0000", "\u00ff\u00ff=="}) {
        attack::Blob blob;
        const auto read = attack::from_json(std::string(R"({"data":")") + text + "\"}", blob);
        expect(!read && read.error().what == code::bad_json, "base64", text);
    }
}

}  // namespace

int main(int, char** arguments) {
    folder = arguments[1];
    roots();
    counts();
    aliases();
    branches();
    nesting();
    final_sizes();
    stale_memory();
    base64();
    return failures == 0 ? 0 : 1;
}
