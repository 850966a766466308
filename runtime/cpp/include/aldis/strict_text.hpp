// Reading text that must be UTF-8, as decoders do that are made with the option `strict_text`: what is not is `bad_text`, at the
// text's first byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bytes.hpp"
#include "reader.hpp"
#include "utf8.hpp"

namespace aldis {

/// Whether the bytes from `from` to `to` are UTF-8.
[[nodiscard]] inline bool is_text(auto& in, const std::byte* from, const std::byte* to) {
    if (!is_utf8(std::string_view(reinterpret_cast<const char*>(from), static_cast<std::size_t>(to - from)))) [[unlikely]] {
        in.fail(code::bad_text, from);
        return false;
    }
    return true;
}

/// Whether the text in a field of `Size` bytes is.
template <std::size_t Size>
[[nodiscard]] inline bool is_chars(auto& in, const std::byte* at) {
    return is_text(in, at, at + length_of_chars<Size>(at));
}

/// As `pass_counted`, for text.
template <class Length>
[[nodiscard]] inline const std::byte* pass_counted_text(auto& in, const std::byte* at, std::string_view name) {
    const std::byte* const end = pass_counted<Length>(in, at, name);
    return end != nullptr && is_text(in, at + sizeof(Length), end) ? end : nullptr;
}
/// As `take_counted`, for text.
template <class Length, class Text>
[[nodiscard]] inline const std::byte* take_counted_text(auto& in, const std::byte* at, Text& value, std::string_view name) {
    const std::byte* const end = take_counted<Length>(in, at, value, name);
    return end != nullptr && is_text(in, at + sizeof(Length), end) ? end : nullptr;
}

namespace detail {

/// Whether the text is UTF-8 to which the u32 link at `from` leads: it is known to be there, unless the link is zero.
template <class Length>
[[nodiscard]] inline bool is_linked_text(auto& in, const std::byte* base, const std::byte* from) {
    const auto offset = in.template load<std::uint32_t>(from);
    if (offset == 0) {
        return true;
    }
    const std::byte* const text = base + offset + sizeof(Length);
    return is_text(in, text, text + in.template load<Length>(base + offset));
}

}  // namespace detail

/// As `pass_linked`, for text.
template <class Length>
[[nodiscard]] inline bool pass_linked_text(
    auto& in,
    const std::byte* base,
    const std::byte* from,
    std::string_view name) {
    return pass_linked<Length>(in, base, from, name) && detail::is_linked_text<Length>(in, base, from);
}
/// As `take_linked`, for text.
template <class Length, class Text>
[[nodiscard]] inline bool take_linked_text(
    auto& in,
    const std::byte* base,
    const std::byte* from,
    Text& value,
    std::string_view name) {
    return take_linked<Length>(in, base, from, value, name) && detail::is_linked_text<Length>(in, base, from);
}

}  // namespace aldis
