/*
 * CRC-32 (IEEE 802.3, as erlang:crc32/2) at about the speed of memory, on processors that multiply polynomials (best those
 * that multiply several at a time). On others crc32_fast() is false and nothing else here may be called.
 */
#ifndef ALDIS_CRC32_H
#define ALDIS_CRC32_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <immintrin.h>

#define MULTIPLIES __attribute__((target("pclmul,sse4.1")))
#define MULTIPLIES_WIDE __attribute__((target("pclmul,sse4.1,avx512f,vpclmulqdq")))

/* The polynomial with its lowest power in the top bit, as all arithmetic here has it. */
#define POLYNOMIAL 0xEDB88320u

/* The effect of a byte on the state, and the powers of x that move 16 bytes over 256, over 64 and over 16. */
static uint32_t of_byte[256];
static long long over_256[2], over_64[2], over_16[2];
static bool wide;

static bool crc32_fast(void) { return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1"); }

static uint32_t times_x(uint32_t value) { return (value >> 1) ^ ((value & 1) != 0 ? POLYNOMIAL : 0); }

/* x to the power n, one place to the left: a product of numbers whose lowest power is on top comes out one too low. */
static long long power(int n)
{
    uint32_t value = 0x80000000u;
    while (n-- > 0) value = times_x(value);
    return (long long)value << 1;
}

/* Once, before anything else. */
static void crc32_start(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t state = byte;
        for (int bit = 0; bit < 8; bit++) state = times_x(state);
        of_byte[byte] = state;
    }
    over_256[0] = power(16 * 128 + 32), over_256[1] = power(16 * 128 - 32);
    over_64[0] = power(4 * 128 + 32), over_64[1] = power(4 * 128 - 32);
    over_16[0] = power(128 + 32), over_16[1] = power(128 - 32);
    wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq");
}

static inline uint32_t bytewise(uint32_t state, const uint8_t *p, size_t size)
{
    for (; size > 0; p++, size--) state = (state >> 8) ^ of_byte[(state ^ *p) & 0xFF];
    return state;
}

MULTIPLIES static inline __m128i at(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)p); }

/* The 128 bits of `sum', moved as far as `powers' says, and the 16 bytes that are there. */
MULTIPLIES static inline __m128i fold(__m128i sum, __m128i powers, __m128i there)
{
    __m128i low = _mm_clmulepi64_si128(sum, powers, 0x00), high = _mm_clmulepi64_si128(sum, powers, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), there);
}

/* Four sums of 16 bytes side by side, so that none waits for another; in the end 16 bytes that have the checksum of all. */
MULTIPLIES static uint32_t folded(uint32_t state, const uint8_t *p, size_t size)
{
    const __m128i far = _mm_set_epi64x(over_64[1], over_64[0]), near = _mm_set_epi64x(over_16[1], over_16[0]);
    __m128i a = _mm_xor_si128(at(p), _mm_cvtsi32_si128((int)state));
    __m128i b = at(p + 16), c = at(p + 32), d = at(p + 48);
    for (p += 64, size -= 64; size >= 64; p += 64, size -= 64) {
        a = fold(a, far, at(p)), b = fold(b, far, at(p + 16));
        c = fold(c, far, at(p + 32)), d = fold(d, far, at(p + 48));
    }
    __m128i sum = fold(fold(fold(a, near, b), near, c), near, d);
    for (; size >= 16; p += 16, size -= 16) sum = fold(sum, near, at(p));
    uint8_t left[16];
    memcpy(left, &sum, sizeof left);
    return bytewise(bytewise(0, left, sizeof left), p, size);
}

MULTIPLIES_WIDE static inline __m512i wide_at(const uint8_t *p) { return _mm512_loadu_si512(p); }

MULTIPLIES_WIDE static inline __m512i wide_fold(__m512i sum, __m512i powers, __m512i there)
{
    __m512i low = _mm512_clmulepi64_epi128(sum, powers, 0x00), high = _mm512_clmulepi64_epi128(sum, powers, 0x11);
    return _mm512_ternarylogic_epi64(low, high, there, 0x96);
}

/* As folded(), with four sums of 64 bytes. At least 256 bytes. */
MULTIPLIES_WIDE static uint32_t wide_folded(uint32_t state, const uint8_t *p, size_t size)
{
    const __m512i far = _mm512_broadcast_i32x4(_mm_set_epi64x(over_256[1], over_256[0]));
    const __m512i beside = _mm512_broadcast_i32x4(_mm_set_epi64x(over_64[1], over_64[0]));
    __m512i a = _mm512_xor_si512(wide_at(p), _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)state)));
    __m512i b = wide_at(p + 64), c = wide_at(p + 128), d = wide_at(p + 192);
    for (p += 256, size -= 256; size >= 256; p += 256, size -= 256) {
        a = wide_fold(a, far, wide_at(p)), b = wide_fold(b, far, wide_at(p + 64));
        c = wide_fold(c, far, wide_at(p + 128)), d = wide_fold(d, far, wide_at(p + 192));
    }
    a = wide_fold(wide_fold(wide_fold(a, beside, b), beside, c), beside, d);
    for (; size >= 64; p += 64, size -= 64) a = wide_fold(a, beside, wide_at(p));
    /* Its four parts lie one behind the other, as 64 bytes that have the checksum of all. */
    uint8_t parts[64];
    _mm512_storeu_si512(parts, a);
    return bytewise(folded(0, parts, sizeof parts), p, size);
}

/* The CRC-32 of all bytes so far, when `before' is that of those in front of these. */
static uint32_t crc32_update(uint32_t before, const uint8_t *p, size_t size)
{
    if (size < 64) return ~bytewise(~before, p, size);
    return ~(wide && size >= 256 ? wide_folded(~before, p, size) : folded(~before, p, size));
}

#else

static bool crc32_fast(void) { return false; }
static void crc32_start(void) {}
static uint32_t crc32_update(uint32_t before, const uint8_t *p, size_t size) { return (void)p, (void)size, before; }

#endif
#endif
