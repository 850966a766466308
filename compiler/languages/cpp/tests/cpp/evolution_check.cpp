// A message of the schema's first version, read with its third; and one whose block is shorter than any version's. The
// first argument is the folder of golden messages.
#include <cstdio>
#include <fstream>
#include <iterator>

#include "h2evo_json.hpp"
#include "h2evo_view.hpp"

namespace {

int failures = 0;

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

}  // namespace

int main(int, char** arguments) {
    const std::vector<std::byte> older = file(std::string(arguments[1]) + "/evo-v1.Bk.max.bin");
    const auto which = h2evo::identify(older);
    expect(which.ok() && *which == h2evo::message_id::Bk, "the message is not known");
    h2evo::Bk value;
    expect(h2evo::decode(older, value).ok(), "the older message is not read");
    expect(value.a == 65534 && value.h.size() > 1 && value.h[1].hd == "ufyucfhyltzakormabmr", "it is read otherwise");
    expect(value.h2.empty() && value.h[1].gd3.empty() && !value.missing_fields.any(), "what is newer is there");
    aldis::buffer out;
    expect(h2evo::encode(value, out).ok(), "it is not written");

    // The block says that it has no bytes at all: the field that every version has is missing.
    std::vector<std::byte> shorter(older.begin(), older.begin() + 8);
    shorter[0] = std::byte{0};
    shorter.resize(8 + 4 + 2);
    expect(h2evo::decode(shorter, value).ok() && value.missing_fields.has(0), "a missing field is not noted");
    const auto text = h2evo::to_json(value);
    expect(text.ok() && text->starts_with(R"({"a":null,)"), "a missing field is not null");
    const auto refused = h2evo::encode(value, out);
    expect(to_string(refused.error()) == "bad-value in a: it has no value", "a record with a missing field is written");
    value.missing_fields.remove(h2evo::Bk::field_places::a);
    expect(h2evo::encode(value, out).ok(), "a record that was mended is not written");
    // Compilers do not warn of the members that are not named, but for groups.
    const h2evo::Bk few{.a = 3, .h = {}, .h2 = {}};
    expect(few.a == 3 && few.h.empty() && !few.missing_fields.any(), "what is not given is there");
    static_assert(sizeof(aldis::missing_set<8>) == 1 && sizeof(aldis::missing_set<9>) == 2 &&
                  sizeof(aldis::missing_set<33>) == 8 && sizeof(aldis::missing_set<65>) == 16);

    const auto nothing = h2evo::verify<h2evo::M>({});
    expect(!nothing && nothing->g().empty() && nothing->d().empty() && nothing->d3().empty() && !nothing->b().has_value() &&
               nothing->missing_fields().has(0),
           "a view of nothing has something");
    expect(h2evo::view::Bk().h2().empty() && h2evo::view::Bk_h().hd().empty(), "a view of nothing has something by itself");
    return failures == 0 ? 0 : 1;
}
