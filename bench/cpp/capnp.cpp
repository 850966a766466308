// Generated codecs of Cap'n Proto against its own C++ library (bench/peers/cpp/capnp_messages.hpp), by turns in one run.
// Encoding makes the framed bytes of a value, the library builds its segments from the same values; decoding fills a value
// that is used again, the library looks at every field in place. Times are processor time of this thread, each a median.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "../peers/cpp/capnp_messages.hpp"
#include "addressbook.hpp"
#include "ints.hpp"

namespace {

namespace library = peer::capnp_library;

constexpr int batches = 41;

/// Keeps the compiler from knowing what `value` holds, or that nobody looks at it.
template <class T>
void opaque(T& value) {
    asm volatile("" : : "r"(&value) : "memory");
}

double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

template <class Work>
double batch(int rounds, Work& work) {
    const double start = now();
    for (int round = 0; round < rounds; ++round) {
        work();
    }
    return (now() - start) / rounds;
}

double median(std::vector<double>& times) {
    std::nth_element(times.begin(), times.begin() + batches / 2, times.end());
    return times[batches / 2];
}

/// Prints a row: nanoseconds of the library, generated, their ratio, and what it may be at most.
template <class Library, class Generated>
void row(const char* what, double most, int rounds, Library theirs, Generated ours) {
    std::vector<double> by_library;
    std::vector<double> by_us;
    for (int turn = 0; turn < batches; ++turn) {
        by_library.push_back(batch(rounds, theirs));
        by_us.push_back(batch(rounds, ours));
    }
    const double first = median(by_library);
    const double second = median(by_us);
    std::printf("  %-44s %11.1f %11.1f %7.2f %9.2f\n", what, first, second, second / first, most);
}

void check(bool good) {
    if (!good) {
        std::fputs("a codec failed\n", stderr);
        std::exit(1);
    }
}

/// Bytes that begin where a word may, as the library wants them.
std::span<const std::byte> aligned(std::span<const std::byte> bytes, std::vector<std::uint64_t>& words) {
    words.resize(bytes.size() / 8);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return std::as_bytes(std::span(words));
}

void integers() {
    library::Ints theirs{1, -2, 3, -4, 5, -6, 7};
    ints::Ints ours{.a = 1, .b = -2, .c = 3, .d = -4, .e = 5, .f = -6, .g = 7};
    library::Memory memory(1024);
    std::vector<std::byte> out(1024);
    row("7 integers: encode", 0.5, 20000, [&] { opaque(theirs), check(library::build(theirs, memory) > 0); },
        [&] { opaque(ours), check(ints::encode(ours, out).ok()), opaque(out); });
    const std::size_t size = ints::encode(ours, out).value();
    std::vector<std::uint64_t> words;
    const auto message = aligned(std::span(out).first(size), words);
    row("7 integers: decode, walk over all fields", 1.0, 20000,
        [&] { opaque(message), check(library::walk_ints(message) != 0); },
        [&] { opaque(message), check(ints::decode(message, ours).ok()), opaque(ours); });
}

void book() {
    library::Book theirs = library::sample(50);
    std::vector<std::uint64_t> words;
    const auto message = aligned(library::framed(theirs), words);
    addressbook::AddressBook ours;
    check(addressbook::decode(message, ours).ok());
    library::Memory memory(4096);
    aldis::buffer buffer;
    const auto made = addressbook::encode(ours, buffer);
    // The library puts some objects elsewhere, so that only sizes are the same.
    check(made.ok() && made->size() == message.size());
    std::vector<std::byte> out(2 * message.size());
    row("address book of 50: encode", 0.6, 500, [&] { opaque(theirs), check(library::build(theirs, memory) > 0); },
        [&] { opaque(ours), check(addressbook::encode(ours, out).ok()), opaque(out); });
    row("address book of 50: decode, walk over all", 1.0, 500,
        [&] { opaque(message), check(library::walk_book(message) != 0); },
        [&] { opaque(message), check(addressbook::decode(message, ours).ok()), opaque(ours); });
}

}  // namespace

int main() {
    std::printf("  %-44s %11s %11s %7s %9s\n", "what", "libcapnp, ns", "aldis, ns", "ratio", "at most");
    integers();
    book();
    return 0;
}
