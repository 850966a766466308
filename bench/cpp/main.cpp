// bench-cpp GOLDEN_FOLDER [options of Google Benchmark]
#include <benchmark/benchmark.h>

#include <cstdio>

#include "tables.hpp"

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
