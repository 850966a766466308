// bench-cpp GOLDEN_FOLDER [options of Google Benchmark]
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdio>

#include "race.hpp"
#include "tables.hpp"

std::size_t race::allocations = 0;

// glibc's own, behind the functions that count.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);

void* malloc(std::size_t size) noexcept {
    ++race::allocations;
    return __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) noexcept {
    ++race::allocations;
    return __libc_calloc(count, size);
}

void* realloc(void* memory, std::size_t size) noexcept {
    ++race::allocations;
    return __libc_realloc(memory, size);
}
}

int main(int count, char** arguments) {
    if (count < 2) {
        std::fputs("usage: bench-cpp FOLDER_OF_FBE_VECTORS [options of Google Benchmark]\n", stderr);
        return 2;
    }
    add_account(arguments[1]);
    add_libraries(arguments[1]);
    add_car();
    add_capnp();
    benchmark::Initialize(&count, arguments);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
