// CRC-32 (IEEE 802.3, the one of zlib and Ethernet) at more than memory speed where the processor multiplies
// polynomials, and eight bytes a step elsewhere.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <immintrin.h>
#endif

namespace aldis::transport {

namespace detail {

// The polynomial with its lowest power in the top bit, as all arithmetic here has it.
inline constexpr std::uint32_t crc_polynomial = 0xEDB88320;

constexpr std::uint32_t times_x(std::uint32_t value) { return (value >> 1) ^ ((value & 1) != 0 ? crc_polynomial : 0); }

// table[k][b]: what a byte b does to the state when k more bytes follow it.
constexpr std::array<std::array<std::uint32_t, 256>, 8> crc_tables() {
    std::array<std::array<std::uint32_t, 256>, 8> tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t state = byte;
        for (int bit = 0; bit < 8; ++bit) {
            state = times_x(state);
        }
        tables[0][byte] = state;
    }
    for (std::size_t k = 1; k < 8; ++k) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = tables[k - 1][byte];
            tables[k][byte] = (before >> 8) ^ tables[0][before & 0xFF];
        }
    }
    return tables;
}

inline constexpr auto crc_table = crc_tables();

constexpr std::uint32_t crc_byte(std::uint32_t state, std::byte byte) {
    return (state >> 8) ^ crc_table[0][(state ^ std::to_integer<std::uint32_t>(byte)) & 0xFF];
}

// Eight bytes a step: each byte's effect is looked up in the table for its place, none waits for another.
inline std::uint32_t crc_sliced(std::uint32_t state, const std::byte* bytes, std::size_t size) {
    if constexpr (std::endian::native == std::endian::little) {
        for (; size >= 8; bytes += 8, size -= 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes, 8);
            word ^= state;
            state = 0;
            for (std::size_t place = 0; place < 8; ++place) {
                state ^= crc_table[7 - place][(word >> (8 * place)) & 0xFF];
            }
        }
    }
    for (; size > 0; ++bytes, --size) {
        state = crc_byte(state, *bytes);
    }
    return state;
}

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))

// x to the power n, modulo the polynomial, one place to the left: a product of two numbers whose lowest power is on top
// comes out one place too low.
constexpr long long crc_power(int n) {
    std::uint32_t value = 0x80000000;
    for (int i = 0; i < n; ++i) {
        value = times_x(value);
    }
    return static_cast<long long>(value) << 1;
}

// The 128 bits of `sum`, moved over as many bits as `powers` says, added to the 16 bytes at `next`.
__attribute__((target("pclmul,sse4.1"))) inline __m128i crc_fold(__m128i sum, __m128i powers, __m128i next) {
    const __m128i low = _mm_clmulepi64_si128(sum, powers, 0x00);
    const __m128i high = _mm_clmulepi64_si128(sum, powers, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

__attribute__((target("pclmul,sse4.1"))) inline __m128i crc_load(const std::byte* bytes) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
}

// Four sums of 16 bytes side by side, folded over 64 bytes a step, then over each other: 16 bytes are left that have the
// checksum of all. At least 64 bytes.
__attribute__((target("pclmul,sse4.1"))) inline std::uint32_t crc_folded(std::uint32_t state, const std::byte* bytes,
                                                                         std::size_t size) {
    const __m128i over_64 = _mm_set_epi64x(crc_power(4 * 128 - 32), crc_power(4 * 128 + 32));
    const __m128i over_16 = _mm_set_epi64x(crc_power(128 - 32), crc_power(128 + 32));
    __m128i a = _mm_xor_si128(crc_load(bytes), _mm_cvtsi32_si128(static_cast<int>(state)));
    __m128i b = crc_load(bytes + 16);
    __m128i c = crc_load(bytes + 32);
    __m128i d = crc_load(bytes + 48);
    for (bytes += 64, size -= 64; size >= 64; bytes += 64, size -= 64) {
        a = crc_fold(a, over_64, crc_load(bytes));
        b = crc_fold(b, over_64, crc_load(bytes + 16));
        c = crc_fold(c, over_64, crc_load(bytes + 32));
        d = crc_fold(d, over_64, crc_load(bytes + 48));
    }
    __m128i sum = crc_fold(crc_fold(crc_fold(a, over_16, b), over_16, c), over_16, d);
    for (; size >= 16; bytes += 16, size -= 16) {
        sum = crc_fold(sum, over_16, crc_load(bytes));
    }
    std::array<std::byte, 16> left{};
    std::memcpy(left.data(), &sum, 16);
    return crc_sliced(crc_sliced(0, left.data(), left.size()), bytes, size);
}

__attribute__((target("avx512f,vpclmulqdq"))) inline __m512i crc_wide_fold(__m512i sum, __m512i powers, __m512i next) {
    const __m512i low = _mm512_clmulepi64_epi128(sum, powers, 0x00);
    const __m512i high = _mm512_clmulepi64_epi128(sum, powers, 0x11);
    return _mm512_xor_si512(_mm512_xor_si512(low, high), next);
}

__attribute__((target("avx512f,vpclmulqdq"))) inline __m512i crc_wide_powers(int bits) {
    const long long high = crc_power(bits - 32);
    const long long low = crc_power(bits + 32);
    return _mm512_set_epi64(high, low, high, low, high, low, high, low);
}

// As crc_folded, four times as much a step. At least 256 bytes.
__attribute__((target("avx512f,vpclmulqdq"))) inline std::uint32_t crc_wide_folded(std::uint32_t state, const std::byte* bytes,
                                                                               std::size_t size) {
    static const __m512i over_256 = crc_wide_powers(16 * 128);
    static const __m512i over_64 = crc_wide_powers(4 * 128);
    __m512i a = _mm512_xor_si512(_mm512_loadu_si512(bytes), _mm512_set_epi64(0, 0, 0, 0, 0, 0, 0, state));
    __m512i b = _mm512_loadu_si512(bytes + 64);
    __m512i c = _mm512_loadu_si512(bytes + 128);
    __m512i d = _mm512_loadu_si512(bytes + 192);
    for (bytes += 256, size -= 256; size >= 256; bytes += 256, size -= 256) {
        a = crc_wide_fold(a, over_256, _mm512_loadu_si512(bytes));
        b = crc_wide_fold(b, over_256, _mm512_loadu_si512(bytes + 64));
        c = crc_wide_fold(c, over_256, _mm512_loadu_si512(bytes + 128));
        d = crc_wide_fold(d, over_256, _mm512_loadu_si512(bytes + 192));
    }
    a = crc_wide_fold(crc_wide_fold(crc_wide_fold(a, over_64, b), over_64, c), over_64, d);
    for (; size >= 64; bytes += 64, size -= 64) {
        a = crc_wide_fold(a, over_64, _mm512_loadu_si512(bytes));
    }
    // Its four parts lie one behind the other, as 64 bytes that have the checksum of all.
    std::array<std::byte, 64> parts{};
    _mm512_storeu_si512(parts.data(), a);
    return crc_sliced(crc_folded(0, parts.data(), parts.size()), bytes, size);
}

inline std::uint32_t crc_update(std::uint32_t state, const std::byte* bytes, std::size_t size) {
    static const bool multiplies = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
    static const bool wide = multiplies && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq");
    if (wide && size >= 256) {
        return crc_wide_folded(state, bytes, size);
    }
    return multiplies && size >= 64 ? crc_folded(state, bytes, size) : crc_sliced(state, bytes, size);
}

#else

inline std::uint32_t crc_update(std::uint32_t state, const std::byte* bytes, std::size_t size) {
    return crc_sliced(state, bytes, size);
}

#endif

}  // namespace detail

// The CRC-32 of `bytes`, or of all bytes so far when `before` is the CRC-32 of those in front of them.
inline std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0) {
    return ~detail::crc_update(~before, bytes.data(), bytes.size());
}

}  // namespace aldis::transport
