// Checks that must hold for every input, of all schemas of a format. Testees are asked: each decodes and verifies the
// same bytes, compares the view with the value, and answers that with the code `no-room` where they differ.
#pragma once

#include <aldis/testee.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "must.hpp"

/// The testees of the schemas; `build.sh` writes it.
std::vector<aldis::testee::program> programs();

namespace fuzz {

using aldis::testee::bytes;
using aldis::testee::program;

/// A schema's message in a form, or `json`: picked by the first three bytes of an input.
struct subject {
    const program* codecs = nullptr;
    std::string message;
    std::string form;

    [[nodiscard]] aldis::result<bytes> to(std::string_view other, std::span<const std::byte> in) const {
        return codecs->convert(message, form, other, in);
    }
    [[nodiscard]] aldis::result<bytes> from(std::string_view other, std::span<const std::byte> in) const {
        return codecs->convert(message, other, form, in);
    }
};

inline void must(bool holds, const char* what, const aldis::error& fault) {
    if (!holds) {
        must(false, what, aldis::to_string(fault));
    }
}

/// The content of an answer; nothing where it is a fault.
inline bytes bytes_of(const aldis::result<bytes>& answer) { return answer ? *answer : bytes(); }

/// A fault names a byte of the input, and is none that only a disagreement has.
template <class Result>
void must_be_sound(const Result& answer, std::size_t size) {
    if (!answer) {
        const aldis::error& fault = answer.error();
        must(fault.what != aldis::code::no_room, "decode, verify and view disagree", fault);
        must(fault.offset == aldis::error::nowhere || fault.offset <= size, "a fault beyond the input", fault);
    }
}

/// The schema, form and message that an input is about; 255 as its third byte: the message that the bytes say.
inline subject pick(std::span<const std::byte> head, std::span<const std::byte> in) {
    static const std::vector<program> all = programs();
    const auto choice = [&head](std::size_t at, std::size_t count) { return static_cast<std::size_t>(head[at]) % count; };
    const program& codecs = all[choice(0, all.size())];
    const std::vector<std::string> forms = codecs.forms();
    const std::vector<std::string> messages = codecs.messages();
    subject picked{&codecs, messages[choice(2, messages.size())], forms[choice(1, forms.size())]};
    if (head[2] == std::byte{255}) {
        const auto found = codecs.identified(picked.form, in);
        must_be_sound(found, in.size());
        picked.message = found ? *found : picked.message;
    }
    return picked;
}

/// Whether what was read before is these bytes now. Elements without bytes are charged, and bytes behind the first message gave
/// it a larger budget, so that it may be too large now.
inline bool is_still(const aldis::result<bytes>& answer, const bytes& wanted) {
    return answer ? *answer == wanted : answer.error().what == aldis::code::too_large;
}

/// Bytes that were encoded are decoded, or are too large now, and are encoded alike.
inline void must_stay(const subject& about, const bytes& encoded) {
    const auto again = about.to(about.form, encoded);
    must(again.ok() || again.error().what == aldis::code::too_large, "what was encoded does not decode",
         again ? aldis::error{} : again.error());
    must(!again || *again == encoded, "what was encoded is encoded otherwise");
}

}  // namespace fuzz
