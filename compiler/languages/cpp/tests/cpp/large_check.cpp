// Few bytes must not ask for much memory: many links to one block, and many nulls of a large type.
#include <cstdio>

#include "large.hpp"
#include "memory.hpp"

namespace {

int failures = 0;

void expect(bool condition, const char* what) {
    if (!condition) {
        std::fprintf(stderr, "%s\n", what);
        ++failures;
    }
}

/// Decodes and tells whether the memory that it took is within 64 bytes for each of input, and 16 MiB.
template <class Decode>
void bounded(std::size_t input, Decode decode, const char* what) {
    expect(memory::taken(decode) <= memory::allowed(input), what);
}

std::vector<std::byte> links_to_one_block(std::uint32_t count) {
    const std::uint32_t block = 8 + 16 + 4 + 4 * count;
    const std::uint32_t total = block + 8 + 65536;
    std::vector<std::byte> bytes(total);
    const auto put = [&bytes](std::uint32_t at, std::uint32_t value) { aldis::store<aldis::little>(bytes.data() + at, value); };
    put(0, total);
    put(4, 8);
    put(8, 16);
    put(12, 2);
    put(16, 16);
    put(24, count);
    for (std::uint32_t index = 0; index < count; ++index) {
        put(28 + 4 * index, block - 8);
    }
    put(block, 8 + 65536);
    put(block + 4, 1);
    return bytes;
}

}  // namespace

int main() {
    const std::vector<std::byte> many = links_to_one_block(500000);
    bounded(many.size(), [&] {
        const auto read = large::decode<large::Blocks>(many);
        expect(!read && read.error().what == aldis::code::too_large, "links to one block are all followed");
    }, "many links take too much memory");
    const std::vector<std::byte> one = links_to_one_block(1);
    expect(large::decode<large::Blocks>(one).ok(), "a link to a block is refused");

    // Final: a count and a byte for each null.
    std::vector<std::byte> nulls(16 + 500000);
    aldis::store<aldis::little>(nulls.data(), static_cast<std::uint32_t>(nulls.size()));
    aldis::store<aldis::little>(nulls.data() + 4, std::uint32_t{2});
    aldis::store<aldis::little>(nulls.data() + 12, std::uint32_t{500000});
    bounded(nulls.size(), [&] {
        const auto read = large::decode_final<large::Blocks>(nulls);
        expect(read.ok() && read->maybes.size() == 500000, "nulls are not read");
    }, "many nulls take too much memory");
    return failures == 0 ? 0 : 1;
}
