// Bytes to values, views, JSON, other forms and back. An input: schema, form, message, and the message's bytes.
#include "checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const auto input = std::as_bytes(std::span(data, size));
    if (input.size() < 3) {
        return 0;
    }
    const auto in = input.subspan(3);
    const fuzz::subject about = fuzz::pick(input.first(3), in);
    const auto encoded = about.to(about.form, in);
    const auto json = about.to("json", in);
    fuzz::must_be_sound(encoded, in.size());
    fuzz::must_be_sound(json, in.size());
    if (!encoded) {
        return 0;
    }
    fuzz::must_stay(about, *encoded);
    if (json) {
        // JSON asks for more than bytes do: required fields that an old writer did not know. It has no word for values of a header
        // beside the message, nor for an arm of a union that the schema does not know, and empty ones for what is null. What is
        // read for an arm is the first one; from there on the JSON stays.
        const auto read = about.from("json", *json);
        const auto again = [&about](const fuzz::bytes& value) { return fuzz::bytes_of(about.to("json", value)); };
        const auto stays = [&about, &again](const fuzz::bytes& text) {
            return !text.empty() && again(fuzz::bytes_of(about.from("json", text))) == text;
        };
        const bool unions = about.form.starts_with("capnp");
        const bool same = !read || *read == *encoded || again(*read) == *json || (unions && stays(again(*read)));
        fuzz::must(same, "JSON says something else");
    }
    for (const std::string& other : about.codecs->forms()) {
        if (const auto there = about.to(other, in); there) {
            const auto back = about.from(other, *there);
            // A canonical form leaves zeros out of values of open type too, where they stay out.
            const bool same = !back || *back == *encoded || fuzz::is_still(about.to(other, *back), *there);
            fuzz::must(same, "another form says something else");
        }
    }
    return 0;
}
