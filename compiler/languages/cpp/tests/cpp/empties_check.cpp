// Elements without bytes: encoders and writers refuse a message as too large exactly where its decoder does.
#include <cstdio>
#include <limits>

#include "grouped_writer.hpp"
#include "linked_writer.hpp"
#include "pointed_writer.hpp"

namespace {

int failures = 0;

void expect(bool condition, const char* what, std::size_t count) {
    if (!condition) {
        std::fprintf(stderr, "%s: %zu elements\n", what, count);
        ++failures;
    }
}

constexpr aldis::limits any_budget{.budget_base = std::numeric_limits<std::uint64_t>::max()};

aldis::code said(const auto& result) { return result.ok() ? aldis::code::none : result.error().what; }

/// Looks at messages of about as many elements as are read. `encode` and `write` write one of so many under limits.
void refused_alike(const char* what, std::size_t least, std::size_t most, auto encode, auto decode, auto write) {
    const auto is_read = [&](std::size_t count) {
        const std::vector<std::byte> bytes = encode(count, any_budget);
        return !bytes.empty() && said(decode(bytes)) != aldis::code::too_large;
    };
    expect(is_read(least) && !is_read(most), what, most);
    while (most - least > 1) {
        const std::size_t middle = least + (most - least) / 2;
        (is_read(middle) ? least : most) = middle;
    }
    for (const std::size_t count : {least - 1, least, most, most + 1}) {
        const bool fits = is_read(count);
        expect(encode(count, aldis::limits{}).empty() != fits, what, count);
        expect(write(count, aldis::limits{}) == (fits ? aldis::code::none : aldis::code::too_large), what, count);
        expect(write(count, any_budget) == aldis::code::none, what, count);
    }
}

/// The bytes that an encoder gave; none where it refused the value as too large.
std::vector<std::byte> given(const char* what, const aldis::result<std::span<const std::byte>>& encoded) {
    if (!encoded.ok()) {
        expect(encoded.error().what == aldis::code::too_large && encoded.error().offset == aldis::error::nowhere, what, 0);
        return {};
    }
    return {encoded->begin(), encoded->end()};
}

void final_lists() {
    aldis::buffer out;
    std::vector<std::byte> room(4096);
    refused_alike(
        "final", 1000, 100000,
        [&](std::size_t count, const aldis::limits& most) {
            linked::Many many;
            many.nothings.resize(count);
            many.wides.resize(3);
            return given("final", linked::encode_final(many, out, most));
        },
        [](const auto& bytes) { return linked::decode_final<linked::Many>(bytes); },
        [&](std::size_t count, const aldis::limits& most) {
            aldis::draft draft(room, most);
            auto many = linked::write_final<linked::Many>(draft);
            many.nothings(std::vector<linked::Nothing>(count));
            many.wides(std::vector<linked::Wide>(3));
            many.octets(std::span<const std::uint8_t>());
            many.texts(std::vector<std::string>());
            many.deeper(aldis::box<linked::Many>());
            return said(draft.finish());
        });
}

void groups() {
    aldis::buffer out;
    std::vector<std::byte> room(4096);
    refused_alike(
        "groups", 1000, 60000,
        [&](std::size_t count, const aldis::limits& most) {
            grouped::Many many;
            many.nothings.resize(count);
            many.wides.resize(3);
            return given("groups", grouped::encode(many, out, most));
        },
        [](const auto& bytes) { return grouped::decode<grouped::Many>(bytes); },
        [&](std::size_t count, const aldis::limits& most) {
            aldis::draft draft(room, most);
            auto many = grouped::write<grouped::Many>(draft);
            for (auto list = many.nothings(count); count > 0; --count) {
                static_cast<void>(list.next());
            }
            auto wides = many.wides(3);
            for (int index = 0; index < 3; ++index) {
                static_cast<void>(wides.next().inner(0));
            }
            return said(draft.finish());
        });
}

/// A value of open type: a list of so many values without bytes.
aldis::any_pointer open_list(std::size_t count) {
    aldis::any_pointer value;
    value.message.resize(8);
    aldis::store<aldis::little>(value.message.data(), 1 | std::uint64_t{count} << 35);
    return value;
}

/// The list that has the elements.
enum class in { nothings, voids, any };

template <in Where>
pointed::Many many_of(std::size_t count) {
    pointed::Many many;
    if constexpr (Where == in::nothings) {
        many.nothings.emplace(count);
    } else if constexpr (Where == in::voids) {
        many.voids.emplace(count);
    } else {
        many.any = open_list(count);
    }
    return many;
}

template <in Where>
void pointed_lists(const char* what) {
    aldis::buffer out;
    std::vector<std::byte> room(4096);
    const auto write = [&](std::size_t count, const aldis::limits& most) {
        aldis::segments::draft draft(room, most);
        const auto many = pointed::write<pointed::Many>(draft);
        if constexpr (Where == in::nothings) {
            static_cast<void>(many.nothings(count));
        } else if constexpr (Where == in::voids) {
            many.voids(count);
        } else {
            const aldis::any_pointer list = open_list(count);
            many.any(list);
        }
        return said(draft.finish());
    };
    const auto looked_at = [&](auto encode, auto decode, auto writes) {
        const auto encoded = [&](std::size_t count, const aldis::limits& most) {
            return given(what, encode(many_of<Where>(count), most));
        };
        refused_alike(what, 1000, 100000, encoded, decode, writes);
        return encoded;
    };
    looked_at([&](const auto& value, const auto& most) { return pointed::encode(value, out, most); },
              [](const auto& bytes) { return pointed::decode<pointed::Many>(bytes); }, write);
    // Writers are of the framed form alone.
    const auto encoded_packed = [&](std::size_t count, const aldis::limits& most) {
        return said(pointed::encode_packed(many_of<Where>(count), out, most));
    };
    looked_at([&](const auto& value, const auto& most) { return pointed::encode_packed(value, out, most); },
              [](const auto& bytes) { return pointed::decode_packed<pointed::Many>(bytes); }, encoded_packed);
    const auto encoded_canonical = [&](std::size_t count, const aldis::limits& most) {
        return said(pointed::encode_canonical(many_of<Where>(count), out, most));
    };
    looked_at([&](const auto& value, const auto& most) { return pointed::encode_canonical(value, out, most); },
              [](const auto& bytes) { return pointed::decode_canonical<pointed::Many>(bytes); }, encoded_canonical);
}

}  // namespace

int main() {
    final_lists();
    groups();
    pointed_lists<in::nothings>("records");
    pointed_lists<in::voids>("voids");
    pointed_lists<in::any>("an open value");
    return failures == 0 ? 0 : 1;
}
