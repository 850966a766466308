// Helpers that the checks of streams share.
#pragma once

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <aldis/stream.hpp>

inline int failures = 0;

inline void expect(bool condition, const char* what) {
    if (!condition) {
        std::fprintf(stderr, "%s\n", what);
        ++failures;
    }
}

inline std::vector<std::byte> file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const aldis::bytes_view bytes = aldis::bytes_of(text);
    return {bytes.begin(), bytes.end()};
}

inline bool same(aldis::bytes_view a, aldis::bytes_view b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

/// Feeds a stream to fresh receivers, cut in two at every byte and byte by byte, each time to a fresh visitor, and hands that
/// to `judge`.
template <class Receiver, class Visitor, class Judge>
void however_cut(aldis::bytes_view stream, const Receiver& fresh, const Visitor& unused, Judge judge) {
    for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
        auto receiver = fresh();
        Visitor visitor = unused;
        expect(receiver.feed(stream.first(cut), visitor).ok() && receiver.feed(stream.subspan(cut), visitor).ok(),
               "a stream cut in two is refused");
        expect(receiver.rest().empty(), "something of a stream cut in two is left");
        judge(visitor);
    }
    auto receiver = fresh();
    Visitor visitor = unused;
    for (std::size_t at = 0; at < stream.size(); ++at) {
        expect(receiver.feed(stream.subspan(at, 1), visitor).ok(), "a stream byte by byte is refused");
    }
    judge(visitor);
}
