// Few bytes must not ask for much memory: many links to one block, and many nulls of a large type.
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "large.hpp"

namespace {

std::size_t live = 0;
std::size_t peak = 0;
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
    const std::size_t before = live;
    peak = live;
    decode();
    expect(peak - before <= 64 * input + (std::size_t{16} << 20), what);
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

void* operator new(std::size_t size) {
    void* const memory = std::malloc(size);
    if (memory == nullptr) {
        std::abort();
    }
    live += malloc_usable_size(memory);
    peak = std::max(peak, live);
    return memory;
}
void operator delete(void* memory) noexcept {
    live -= memory == nullptr ? 0 : malloc_usable_size(memory);
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

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
