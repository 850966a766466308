// Packing by the instructions of newer processors and by those that all have: the same bytes, the same verdicts, nothing read or
// written beyond its memory, whatever the bytes are. A message of any size takes no memory where a buffer is used again.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <random>

#include "addressbook_view.hpp"

namespace {

std::size_t allocations = 0;

void check(bool right, int line) {
    if (!right) {
        std::fprintf(stderr, "line %d\n", line);
        std::exit(1);
    }
}
#define CHECK(condition) check(static_cast<bool>(condition), __LINE__)

using bytes = std::vector<std::byte>;
using aldis::segments::packing::spread;

/// Words of which some are zero, some dense and some in between.
bytes words(std::mt19937& random, std::size_t count) {
    bytes made(count * 8);
    std::size_t density = 0;
    for (std::size_t at = 0; at < made.size(); ++at) {
        if (at % 8 == 0 && random() % 4 == 0) {
            density = random() % 10;
        }
        made[at] = static_cast<std::byte>(random() % 9 < density ? random() % 255 + 1 : 0);
    }
    return made;
}

template <bool Wide>
bytes packed(const bytes& from) {
    bytes out(aldis::segments::pack_room(from.size()));
    out.resize(static_cast<std::size_t>(aldis::segments::packing::pack<Wide>(from, out.data()) - out.data()));
    return out;
}

/// Both ways, where the processor has both.
void words_come_back(std::mt19937& random) {
    for (std::size_t count = 0; count < 700; count += 1 + count / 8) {
        const bytes from = words(random, count);
        const bytes small = packed<false>(from);
        CHECK(!aldis::segments::packing::spreads_wide() || packed<true>(from) == small);
        for (std::size_t at = 0, word = 0; at < small.size() && word < 3; ++word) {
            const auto tag = std::to_integer<unsigned>(small[at]);
            std::byte next[8] = {};
            std::copy(small.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                      small.begin() + static_cast<std::ptrdiff_t>(std::min(small.size(), at + 9)), next);
            std::size_t taken = 0;
            std::size_t wide_taken = 0;
            const auto plain = spread<false>::unpack(tag, next, taken);
            CHECK(!aldis::segments::packing::spreads_wide() || (spread<true>::unpack(tag, next, wide_taken) == plain && wide_taken == taken));
            at += 1 + taken;
        }
    }
}

addressbook::AddressBook book(std::size_t people) {
    addressbook::AddressBook made;
    auto& all = made.people.emplace();
    for (std::size_t index = 0; index < people; ++index) {
        auto& one = all.emplace_back();
        one.id = static_cast<std::uint32_t>(index);
        one.name = "a name that is not short";
        one.email = "name@example.com";
    }
    return made;
}

void damaged_messages_are_refused(std::mt19937& random) {
    aldis::buffer memory;
    for (std::size_t people : {0U, 1U, 3U, 200U}) {
        const auto from = book(people);
        const auto whole = addressbook::encode_packed(from, memory);
        CHECK(whole && *addressbook::decode_packed<addressbook::AddressBook>(*whole) == from);
        for (std::size_t size = 0; size < whole->size(); size += 1 + size / 16) {
            // Memory of its own, so that a byte too far is found.
            const bytes cut(whole->begin(), whole->begin() + static_cast<std::ptrdiff_t>(size));
            const auto read = addressbook::decode_packed<addressbook::AddressBook>(cut);
            CHECK(!read && read.error().what == aldis::code::truncated);
        }
        for (int turn = 0; turn < 300; ++turn) {
            bytes other(whole->begin(), whole->end());
            other[random() % other.size()] = static_cast<std::byte>(random());
            const auto read = addressbook::decode_packed<addressbook::AddressBook>(other);
            aldis::buffer room;
            CHECK(static_cast<bool>(read) == static_cast<bool>(addressbook::verify_packed<addressbook::AddressBook>(other, room)));
        }
    }
}

void memory_is_used_again() {
    const auto from = book(50);
    aldis::buffer memory;
    aldis::buffer room;
    addressbook::AddressBook to;
    for (int turn = 0; turn < 3; ++turn) {
        const std::size_t before = allocations;
        const auto made = addressbook::encode_packed(from, memory);
        CHECK(made && addressbook::decode_packed(*made, to, room) && to == from);
        CHECK(turn == 0 || allocations == before);
    }
}

}  // namespace

void* operator new(std::size_t size) {
    ++allocations;
    if (void* const made = std::malloc(size)) {
        return made;
    }
    std::abort();
}
void operator delete(void* at) noexcept { std::free(at); }
void operator delete(void* at, std::size_t) noexcept { std::free(at); }

int main() {
    std::mt19937 random(1);
    words_come_back(random);
    damaged_messages_are_refused(random);
    memory_is_used_again();
}
