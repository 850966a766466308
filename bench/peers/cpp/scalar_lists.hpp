// A list of scalars as both of FBE's forms have it: a u32 count and the elements, which is one memcpy each way.
#pragma once

#include "account.hpp"

namespace peer::lists {

// Writes the list into `out` and gives its size; 0 where it does not fit.
template <class T>
inline std::size_t encode(const std::vector<T>& values, std::span<std::byte> out) {
    const std::size_t total = 4 + values.size() * sizeof(T);
    if (total > out.size()) {
        return 0;
    }
    store(out.data(), static_cast<std::uint32_t>(values.size()));
    std::memcpy(out.data() + 4, values.data(), values.size() * sizeof(T));
    return total;
}

// Reads a list into `values`, whose memory is used again. False where the bytes are too few.
template <class T>
inline bool decode(std::span<const std::byte> in, std::vector<T>& values) {
    if (in.size() < 4) {
        return false;
    }
    const auto count = load<std::uint32_t>(in.data());
    if (count > (in.size() - 4) / sizeof(T)) {
        return false;
    }
    values.resize(count);
    std::memcpy(values.data(), in.data() + 4, count * sizeof(T));
    return true;
}

}  // namespace peer::lists
