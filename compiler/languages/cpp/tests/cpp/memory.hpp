// How much memory a program takes, counted in its own `new` and `delete`. For one file of a program.
#pragma once

#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace memory {

inline std::size_t live = 0;
inline std::size_t peak = 0;

/// The most bytes that `work` had at once.
template <class Work>
std::size_t taken(Work work) {
    const std::size_t before = live;
    peak = live;
    work();
    return peak - before;
}

/// The memory that decoding so many bytes may take.
constexpr std::size_t allowed(std::size_t input) { return 64 * input + (std::size_t{16} << 20); }

}  // namespace memory

void* operator new(std::size_t size) {
    void* const memory = std::malloc(size);
    if (memory == nullptr) {
        std::abort();
    }
    memory::live += malloc_usable_size(memory);
    memory::peak = std::max(memory::peak, memory::live);
    return memory;
}
void operator delete(void* memory) noexcept {
    memory::live -= memory == nullptr ? 0 : malloc_usable_size(memory);
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
