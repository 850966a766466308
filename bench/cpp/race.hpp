// A race: the same work done by Aldis and by others, each a benchmark called TABLE/WORK/WHO. `report.py` reads the names.
#pragma once

#include <benchmark/benchmark.h>
#include <algorithm>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace race {

/// How often the process has asked for memory (main.cpp counts).
extern std::size_t allocations;

/// Keeps the compiler from knowing what `value` holds, or that nobody looks at it.
template <class T>
inline void opaque(T& value) {
    asm volatile("" : : "r"(&value) : "memory");
}

inline void check(bool good) {
    if (!good) [[unlikely]] {
        std::fputs("a codec failed, or two disagree\n", stderr);
        std::abort();
    }
}

/// Objects that `work` refers to must live until all has run. `ours`: who of us does the same; our time may be `at_most` times
/// this one's (0: no limit).
template <class Work>
void add(const std::string& table, const std::string& what, const std::string& who, Work work, const std::string& ours = "",
         double at_most = 0) {
    const auto run = [work = std::move(work), ours, at_most](benchmark::State& state) {
        const std::size_t before = allocations;
        for (auto _ : state) {
            work();
        }
        state.counters["allocations"] = static_cast<double>(allocations - before) / static_cast<double>(state.iterations());
        state.SetLabel(ours);
        if (at_most > 0) {
            state.counters["at_most"] = at_most;
        }
    };
    benchmark::RegisterBenchmark((table + "/" + what + "/" + who).c_str(), run);
}

/// How many bytes a message has as `who` writes it.
inline void note_size(const std::string& table, const std::string& who, std::size_t size) {
    benchmark::AddCustomContext(table + "/" + who, std::to_string(size));
}

/// Generated code against a peer: our time may be `at_most` times the peer's; 0: no limit.
template <class Peer, class Ours>
void pair(const std::string& table, const std::string& what, const std::string& who, double at_most, Peer peer, Ours ours) {
    add(table, what, who, std::move(peer), "aldis", at_most);
    add(table, what, "aldis", std::move(ours));
}

inline std::vector<std::byte> file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
    return {bytes, bytes + text.size()};
}

}  // namespace race
