// UTF-8 of the texts in frames.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace aldis::transport {

// Bytes of a text in a frame, at most.
inline constexpr std::size_t max_text = 1024;

// Whether `text` is UTF-8: no surrogates, nothing overlong, nothing beyond U+10FFFF.
inline bool is_utf8(std::string_view text) {
    const auto byte = [&text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    for (std::size_t i = 0; i < text.size();) {
        const unsigned lead = byte(i);
        if (lead < 0x80) {
            ++i;
            continue;
        }
        const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (lead < 0xC2 || lead > 0xF4 || text.size() - i < size) {
            return false;
        }
        // The second byte's range excludes overlong forms, surrogates and what is beyond U+10FFFF.
        const unsigned least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        const unsigned most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (byte(i + 1) < least || byte(i + 1) > most) {
            return false;
        }
        for (std::size_t k = 2; k < size; ++k) {
            if ((byte(i + k) & 0xC0) != 0x80) {
                return false;
            }
        }
        i += size;
    }
    return true;
}

// The longest beginning of `text` that fits a frame, ending between characters.
inline std::string_view fitting(std::string_view text) {
    std::size_t size = std::min(text.size(), max_text);
    while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) {
        --size;
    }
    return text.substr(0, size);
}

}  // namespace aldis::transport
