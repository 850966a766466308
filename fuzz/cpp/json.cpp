// JSON to values and bytes. An input: schema, form, message, and its JSON.
#include "checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const auto input = std::as_bytes(std::span(data, size));
    if (input.size() < 3 || input[2] == std::byte{255}) {
        return 0;
    }
    const auto text = input.subspan(3);
    const fuzz::subject about = fuzz::pick(input.first(3), text);
    const auto encoded = about.from("json", text);
    fuzz::must_be_sound(encoded, text.size());
    if (encoded) {
        fuzz::must_stay(about, *encoded);
        const auto again = about.codecs->convert(about.message, "json", "json", text);
        const auto twice = again ? about.from("json", *again) : again;
        // The JSON of Cap'n Proto writes an empty value for an element or an arm that is null, which is then read; the JSON stays.
        const bool empties = about.form.starts_with("capnp");
        const auto same = [&] { return *twice == *encoded || (empties && fuzz::bytes_of(about.to("json", *twice)) == *again); };
        fuzz::must(!twice || same(), "JSON that was written says something else");
    }
    return 0;
}
