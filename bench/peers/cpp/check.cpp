// Compares the hand-written codecs with FBE's own bytes: `make -C bench/peers/cpp check`.
#include <cstdio>
#include <fstream>
#include <iterator>

#include "account_json.hpp"
#include "fbe_final.hpp"
#include "fbe_limit.hpp"
#include "fbe_standard.hpp"
#include "fbe_style.hpp"
#include "scalar_lists.hpp"

namespace {

int failures = 0;

void expect(bool condition, const char* what, const std::string& name) {
    if (!condition) {
        std::fprintf(stderr, "%s: %s\n", name.c_str(), what);
        ++failures;
    }
}

std::vector<std::byte> file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
    return {bytes, bytes + text.size()};
}

// Whether two values are written alike; a NaN is not equal to itself.
bool same_bytes(const peer::Account& one, const peer::Account& other) {
    const auto written = [](const peer::Account& value) {
        std::vector<std::byte> out(peer::standard::size(value));
        peer::standard::encode(value, out);
        return out;
    };
    return written(one) == written(other);
}

// Every prefix is refused, and whatever one damaged byte makes of a message, nothing outside of it is read.
template <class Decode>
void damage(const std::vector<std::byte>& golden, Decode decode, const std::string& name) {
    for (std::size_t length = 0; length < golden.size(); ++length) {
        const std::vector<std::byte> cut(golden.begin(), golden.begin() + static_cast<std::ptrdiff_t>(length));
        expect(!decode(cut), "a message that was cut is accepted", name);
        for (const unsigned value : {0U, 1U, 0x7FU, 0xFFU}) {
            std::vector<std::byte> other = golden;
            other[length] = static_cast<std::byte>(value);
            decode(other);
        }
    }
}

void check(const std::string& folder, const std::string& name) {
    using namespace peer;
    const std::vector<std::byte> standard_bytes = file(folder + "/" + name + ".std.bin");
    const std::vector<std::byte> final_bytes = file(folder + "/" + name + ".final.bin");
    Account value;
    Account other;
    std::vector<std::byte> out(standard_bytes.size());
    expect(!standard_bytes.empty() && standard::decode(standard_bytes, value), "standard is not read", name);
    expect(standard::encode(value, out) == out.size() && out == standard_bytes, "standard is written otherwise", name);
    expect(standard::verify(standard_bytes), "standard is not verified", name);
    expect(limit::verify(standard_bytes) && limit::decode(standard_bytes, other) && other == value,
           "standard is read otherwise in a hurry", name);
    for (const std::size_t room : {out.size(), 2 * out.size() + 200}) {
        out.assign(room, std::byte{});
        expect(limit::encode(value, out) == standard_bytes.size(), "standard is not written in a hurry", name);
        out.resize(standard_bytes.size());
        expect(out == standard_bytes, "standard is written otherwise in a hurry", name);
    }
    style::Model model;
    expect(model.serialize(value) == standard_bytes.size() && std::ranges::equal(model.bytes(), standard_bytes),
           "standard is written otherwise in FBE's style", name);
    model.attach(standard_bytes);
    expect(model.verify(), "standard is not verified in FBE's style", name);
    model.deserialize(other);
    expect(other == value, "standard is read otherwise in FBE's style", name);
    expect(standard::read_all(standard_bytes) >= 0, "standard has a negative sum", name);
    expect(final_form::decode(final_bytes, other) && value == other, "Final is read otherwise", name);
    out.assign(final_bytes.size(), std::byte{});
    expect(final_form::encode(value, out) == out.size() && out == final_bytes, "Final is written otherwise", name);
    std::string text;
    const std::vector<std::byte> golden = file(folder + "/" + name + ".json");
    expect(json::write(text, value), "JSON is refused", name);
    expect(text == text_at(golden.data(), golden.size()), "JSON is written otherwise", name);
    if (standard_bytes.size() < 1000) {
        const auto read = [&other](const auto& bytes) {
            const bool good = standard::decode(bytes, other);
            expect(good == standard::verify(bytes), "verify and decode differ", "damaged");
            expect(good == limit::verify(bytes), "verify in a hurry differs", "damaged");
            Account hurried;
            expect(good == limit::decode(bytes, hurried) && (!good || same_bytes(hurried, other)), "decode in a hurry differs",
                   "damaged");
            return good;
        };
        damage(standard_bytes, read, name);
        damage(final_bytes, [&other](const auto& bytes) { return final_form::decode(bytes, other); }, name);
    }
}

}  // namespace

int main(int count, char** arguments) {
    const std::string folder = count > 1 ? arguments[1] : "../../../conformance/vectors/fbe";
    for (const char* name : {"readme", "default", "noasset_noorders", "1000orders"}) {
        check(folder, std::string("proto_account_") + name);
    }
    const std::vector<double> values{1.5, -2.0};
    std::vector<double> again;
    std::vector<std::byte> out(20);
    expect(peer::lists::encode(values, out) == 20 && peer::lists::decode(out, again) && values == again,
           "the list is read otherwise", "doubles");
    return failures == 0 ? 0 : 1;
}
