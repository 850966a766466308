// Verifying messages of segments: what a reader looks at, in its order and at its price, and nothing is kept.
#pragma once

#include "copy.hpp"
#include "finder.hpp"

namespace aldis::segments {

/// Checks what pointers lead to. A function that can fail returns whether it succeeded, and notes the fault.
class verifier : public finder {
public:
    using finder::finder;

    [[nodiscard]] bool text(place from) {
        const word says = load_word(from.at);
        std::size_t size = 0;
        const std::byte* start = nullptr;
        return says.is_null() || find_text(says, from, start, size);
    }

    /// Text that must be UTF-8.
    [[nodiscard]] bool utf8(place from) {
        const word says = load_word(from.at);
        std::size_t size = 0;
        const std::byte* start = nullptr;
        return says.is_null() || find_utf8(says, from, start, size);
    }

    [[nodiscard]] bool data(place from) {
        const word says = load_word(from.at);
        std::size_t size = 0;
        const std::byte* start = nullptr;
        return says.is_null() || find_data(says, from, start, size);
    }

    /// A record; `check` gets its sections.
    template <class Check>
    [[nodiscard]] bool record(place from, Check check, const auto& lacks) {
        if (load_word(from.at).is_null()) {
            return true;
        }
        body sections{};
        return open_record(from, sections, lacks) && check(*this, sections) && left();
    }

    template <class Check>
    [[nodiscard]] bool records(place from, Check check, const auto& lacks) {
        if (load_word(from.at).is_null()) {
            return true;
        }
        elements found{};
        if (!find_records(from, found, lacks)) {
            return false;
        }
        if (found.count > 0 && !enter(found.start)) {
            return in_element(0);
        }
        for (std::size_t index = 0; index < found.count; ++index) {
            if (!check(*this, found.record(index))) {
                return in_element(index);
            }
        }
        if (found.count > 0) {
            leave();
        }
        return left();
    }

    /// Numbers or enums of `size` bytes.
    [[nodiscard]] bool numbers(place from, std::size_t size) {
        elements found{};
        return load_word(from.at).is_null() || (find_numbers(from, size, found) && left());
    }
    [[nodiscard]] bool bits(place from) {
        elements found{};
        return load_word(from.at).is_null() || (find_bits(from, found) && left());
    }
    [[nodiscard]] bool voids(place from) {
        elements found{};
        return load_word(from.at).is_null() || (find_voids(from, found) && left());
    }

    /// Values behind pointers of their own, each of which `check` checks.
    template <class Check>
    [[nodiscard]] bool pointers(place from, Check check) {
        if (load_word(from.at).is_null()) {
            return true;
        }
        elements found{};
        if (!find_pointers(from, found)) {
            return false;
        }
        for (std::size_t index = 0; index < found.count; ++index) {
            if (!check(found.pointer(index))) {
                return in_element(index);
            }
        }
        return left();
    }

    /// The object of unknown type behind a pointer, with all objects that it leads to.
    [[nodiscard]] bool any(place from) {
        return copier(static_cast<arena&>(*this), false, unwanted{}).pointer(from, 0);
    }

private:
    [[nodiscard]] bool left() noexcept {
        leave();
        return true;
    }
};

}  // namespace aldis::segments
