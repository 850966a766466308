// The words of faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace aldis::detail {

/// Text that is put together piece by piece: compilers take several times as long over `+`, `insert` and `std::to_string`, and make
/// several times as much code of it.
class phrase {
public:
    [[gnu::cold, gnu::noinline]] phrase& add(std::string_view piece) {
        text_.append(piece.data(), piece.size());
        return *this;
    }
    [[gnu::cold, gnu::noinline]] phrase& add(std::uint64_t number) {
        char digits[20];
        char* first = digits + sizeof digits;
        do {
            *--first = static_cast<char>('0' + number % 10);
            number /= 10;
        } while (number > 0);
        return add(std::string_view(first, static_cast<std::size_t>(digits + sizeof digits - first)));
    }
    /// A name without its middle where it is long: a key of JSON can have any length.
    [[gnu::cold, gnu::noinline]] phrase& add_shortened(std::string_view name) {
        constexpr std::size_t kept = 200;
        if (name.size() <= 3 * kept) {
            return add(name);
        }
        // Neither end begins or stops within a character.
        const auto within = [name](std::size_t at) { return (static_cast<unsigned char>(name[at]) & 0xC0) == 0x80; };
        std::size_t start = kept;
        std::size_t end = name.size() - kept;
        while (start > 0 && within(start)) {
            --start;
        }
        while (end < name.size() && within(end)) {
            ++end;
        }
        add({name.data(), start}).add("… (").add(end - start).add(" more bytes) …");
        return add({name.data() + end, name.size() - end});
    }
    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    std::string text_;
};

}  // namespace aldis::detail
