// The account message of FBE as a user's program handles it. The first argument is the folder of golden messages.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>

#include "proto_json.hpp"

namespace {

int failures = 0;
std::size_t allocations = 0;

void expect(bool condition, const char* what) {
    if (!condition) {
        std::fprintf(stderr, "%s\n", what);
        ++failures;
    }
}

std::vector<std::byte> file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
    return {bytes, bytes + text.size()};
}

void golden(const std::vector<std::byte>& standard, const std::vector<std::byte>& final_form) {
    const auto value = proto::decode<proto::Account>(standard);
    expect(value.ok() && value->orders.size() == 3 && value->orders[1].symbol == "EURUSD", "standard is not read");
    expect(value->asset.has_value() && has(value->state, proto::State::good), "standard is read otherwise");
    const auto same = proto::decode_final<proto::Account>(final_form);
    expect(same.ok() && *same == *value, "Final is read otherwise");
    aldis::buffer out;
    const auto bytes = proto::encode(*value, out);
    expect(bytes.ok() && std::equal(bytes->begin(), bytes->end(), standard.begin(), standard.end()),
           "standard is written otherwise");
    std::vector<std::byte> room(final_form.size());
    expect(proto::encode_final(*value, room).ok() && room == final_form, "Final is written otherwise");
    room.pop_back();
    const auto small = proto::encode_final(*value, room);
    expect(to_string(small.error()) == "no-room: the message has " + std::to_string(final_form.size()) +
                                           " bytes, more than there is room for",
           "it is written where there is no room");
    const auto which = proto::identify(standard);
    expect(which.ok() && name_of(*which) == "proto.AccountMessage", "the message of the id is another");
}

void reuse(const std::vector<std::byte>& standard) {
    proto::Account value;
    expect(proto::decode(standard, value).ok(), "standard is not read");
    aldis::buffer out;
    expect(proto::encode(value, out).ok(), "standard is not written");
    const std::size_t before = allocations;
    expect(proto::decode(standard, value).ok() && proto::encode(value, out).ok(), "the second time fails");
    expect(allocations == before, "the second time takes memory");
}

/// JSON by memory that is used again, of texts that are longer than a string holds in itself, with and without escapes.
void reuse_of_json(const std::vector<std::byte>& standard) {
    proto::Account value;
    expect(proto::decode(standard, value).ok(), "standard is not read");
    value.name = "a name that is longer than others";
    value.orders[1].symbol = "\"a symbol\" that has\nseveral lines";
    std::string text;
    proto::Account again;
    expect(proto::to_json(value, text).ok() && proto::from_json(text, again).ok() && again == value, "JSON is read otherwise");
    expect(proto::to_json(value, text).ok(), "JSON is not written");
    const std::size_t before = allocations;
    expect(proto::to_json(value, text).ok() && proto::from_json(text, again).ok(), "the second time fails");
    expect(allocations == before, "JSON takes memory the second time");
    expect(again == value && text == *proto::to_json(value), "JSON is read or written otherwise the second time");
    again.orders.push_back(again.orders[0]);
    expect(proto::from_json(text, again).ok() && again == value, "elements of before are left");
}

/// The digits of a number's text that say something, without point and exponent.
std::string digits_of(std::string_view text) {
    std::string digits;
    for (const char c : text.substr(0, text.find('e'))) {
        if (c >= '0' && c <= '9' && !(digits.empty() && c == '0')) {
            digits += c;
        }
    }
    digits.erase(digits.find_last_not_of('0') + 1);
    return digits;
}

/// A number is written by the shortest digits that read back, and read as `strtod` reads it.
void number(double given) {
    static std::string text;
    static proto::Balance value;
    static proto::Balance again;
    value.amount = given;
    expect(proto::to_json(value, text).ok(), "a number is not written");
    const std::string_view written = std::string_view(text).substr(text.rfind(':') + 1);
    char shortest[40];
    const auto end = std::to_chars(shortest, shortest + sizeof shortest, given, std::chars_format::scientific).ptr;
    expect(digits_of(written) == digits_of({shortest, static_cast<std::size_t>(end - shortest)}), text.c_str());
    expect(proto::from_json(text, again).ok() && again == value, text.c_str());
}

void numbers() {
    std::uint64_t random = 7;
    const auto below = [&random](std::uint64_t bound) {
        random = random * 6'364'136'223'846'793'005 + 1'442'695'040'888'963'407;
        return (random >> 11) % bound;
    };
    std::uint64_t power = 1;
    for (unsigned digits = 0; digits < 18; ++digits, power *= 10) {
        for (unsigned turn = 0; turn < 2'000; ++turn) {
            double value = static_cast<double>(below(power));
            const std::uint64_t places = below(20);
            for (std::uint64_t place = 0; place < places; ++place) {
                value /= 10;
            }
            number(value);
            number(-std::nextafter(value, 1e300));
            // As a text of digits with a point somewhere.
            std::string text = std::to_string(power + below(power));
            text.insert(1 + static_cast<std::size_t>(below(text.size())), turn % 2 == 0 ? "." : ".00");
            text += '1';
            proto::Balance read;
            expect(proto::from_json("{\"amount\":" + text + "}", read).ok(), text.c_str());
            expect(read.amount == std::strtod(text.c_str(), nullptr), text.c_str());
        }
    }
}

/// Texts that are longer and shorter than what an object had before.
void texts() {
    proto::Account written;
    proto::Account read;
    aldis::buffer out;
    for (std::size_t step = 0; step < 41 * 41; ++step) {
        written.name = std::string(step % 41, static_cast<char>('a' + step % 23));
        written.wallet.currency = std::string(step / 41, 'c') + written.name;
        expect(proto::decode(*proto::encode(written, out), read).ok() && read == written, "a text is read otherwise");
        expect(read.name.c_str()[read.name.size()] == '\0', "a text does not end");
    }
}

void faults(const std::vector<std::byte>& standard) {
    std::vector<std::byte> cut(standard.begin(), standard.end() - 1);
    const auto short_frame = proto::decode<proto::Account>(cut);
    expect(!short_frame && short_frame.error().what == aldis::code::truncated, "a cut message is read");
    std::vector<std::byte> wrong = standard;
    // The symbol of the last order says that it is longer than the message.
    wrong[wrong.size() - 10] = std::byte{0xFF};
    const auto long_text = proto::decode<proto::Account>(wrong);
    expect(!long_text && to_string(long_text.error()) == "bad-count at byte 242 in orders[2].symbol",
           "the fault of a text is told otherwise");
    const auto other = proto::decode<proto::Order>(standard);
    expect(!other && other.error().what == aldis::code::unknown_message, "another message is read");
}

void json() {
    proto::Order order;
    order.symbol = "\"A\"";
    order.price = 1e21;
    const auto text = proto::to_json(order);
    expect(text.ok() && *text == R"({"id":0,"symbol":"\"A\"","side":0,"type":0,"price":1e+21,"volume":0.0})",
           "JSON is written otherwise");
    proto::Order again;
    expect(proto::from_json(*text, again).ok() && again == order, "JSON is read otherwise");
    const auto twice = proto::from_json(R"({"id":1,"id":2})", again);
    expect(!twice && twice.error().what == aldis::code::bad_json && twice.error().path == "id", "a key is read twice");
    const auto large = proto::from_json(R"({"id":2147483648})", again);
    expect(!large && large.error().what == aldis::code::out_of_range, "a number is cut");
    const auto said = [&again](std::string_view json, std::string_view wanted) {
        const auto read = proto::from_json(json, again);
        expect(!read && to_string(read.error()) == wanted, to_string(read.error()).c_str());
    };
    said(R"({"id":2147483648})", "out-of-range at byte 6 in id: 2147483648 is not a whole number from -2147483648 to 2147483647");
    said(R"({"side":"red"})", "bad-json at byte 8 in side: \"red\" is none of buy, sell");
    said(R"({"id":1,"id":2})", "bad-json at byte 8 in id: it is there twice");
    said(R"({"sied":1})",
         "bad-json at byte 1 in sied: there is no such field; there are id, symbol, side, type, price, volume");
    const std::string ends(200, 'k');
    said("{\"" + std::string(3'000'000, 'k') + "\":1}",
         "bad-json at byte 1 in " + ends + "… (2999600 more bytes) …" + ends +
             ": there is no such field; there are id, symbol, side, type, price, volume");
    said(R"({"price":1e999})", "out-of-range at byte 9 in price: \"1e999\" is not a number that its float can hold");
    said("{\"side\":\"\x7Fé" + std::string(60, 'x') + "\"}",
         "bad-json at byte 8 in side: \"?é" + std::string(37, 'x') + "…\" is none of buy, sell");
    expect(to_string(order) == *text, "it is printed otherwise");
}

}  // namespace

void* operator new(std::size_t size) {
    ++allocations;
    void* const memory = std::malloc(size);
    if (memory == nullptr) {
        std::abort();
    }
    return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main(int, char** arguments) {
    const std::string folder = arguments[1];
    const std::vector<std::byte> standard = file(folder + "/proto_account_readme.std.bin");
    golden(standard, file(folder + "/proto_account_readme.final.bin"));
    reuse(standard);
    texts();
    faults(standard);
    reuse_of_json(standard);
    numbers();
    json();
    return failures == 0 ? 0 : 1;
}
