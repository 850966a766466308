/* Whether bytes are UTF-8 as RFC 3629 has it: no surrogates, no overlong forms, nothing beyond U+10FFFF. */
#ifndef ALDIS_UTF8_H
#define ALDIS_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The machine picks what its processor can when it loads the code. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

/* ASCII is looked for in blocks of this size. */
#define BLOCK 512
/* From this size on, judging all bytes alike is quicker than going from character to character. */
#define MIXED 64

/* How many bytes the character at p takes, with n > 0 bytes there; 0 if it is none. */
static inline size_t utf8_char(const uint8_t *p, size_t n)
{
    uint8_t b = p[0];
    size_t size = b < 0x80 ? 1 : b < 0xC2 ? 0 : b < 0xE0 ? 2 : b < 0xF0 ? 3 : b < 0xF5 ? 4 : 0;
    if (size > n) return 0;
    for (size_t i = 1; i < size; i++)
        if ((p[i] & 0xC0) != 0x80) return 0;
    if (b == 0xE0 && p[1] < 0xA0) return 0;
    if (b == 0xED && p[1] > 0x9F) return 0;
    if (b == 0xF0 && p[1] < 0x90) return 0;
    if (b == 0xF4 && p[1] > 0x8F) return 0;
    return size;
}

/*
 * Whether p[0, n) is wrong somewhere, given the three bytes before it; a character that it ends within is not. Each
 * byte is judged by itself and the three before it, without a branch, so that compilers do many at once.
 */
WIDE static bool utf8_wrong(const uint8_t *p, size_t n)
{
    uint8_t wrong = 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t b = p[i], b1 = p[(ptrdiff_t)i - 1], b2 = p[(ptrdiff_t)i - 2], b3 = p[(ptrdiff_t)i - 3];
        uint8_t follows = (uint8_t)((b1 >= 0xC0) | (b2 >= 0xE0) | (b3 >= 0xF0));
        uint8_t continues = (b & 0xC0) == 0x80;
        wrong |= follows ^ continues;
        wrong |= (uint8_t)((b == 0xC0) | (b == 0xC1) | (b >= 0xF5));
        wrong |= (uint8_t)((b1 == 0xE0) & (b < 0xA0));
        wrong |= (uint8_t)((b1 == 0xED) & (b > 0x9F));
        wrong |= (uint8_t)((b1 == 0xF0) & (b < 0x90));
        wrong |= (uint8_t)((b1 == 0xF4) & (b > 0x8F));
    }
    return wrong != 0;
}

static inline uint32_t word32(const uint8_t *p)
{
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

static inline uint64_t word64(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

/* Up to 16 bytes: words that overlap, so that sizes take few branches. */
static inline bool is_short_ascii(const uint8_t *p, size_t n)
{
    if (n >= 8) return ((word64(p) | word64(p + n - 8)) & 0x8080808080808080u) == 0;
    if (n >= 4) return ((word32(p) | word32(p + n - 4)) & 0x80808080u) == 0;
    return n == 0 || ((p[0] | p[n / 2] | p[n - 1]) & 0x80) == 0;
}

WIDE static bool is_ascii_block(const uint8_t *p)
{
    uint8_t seen = 0;
    for (size_t i = 0; i < BLOCK; i++) seen |= p[i];
    return seen < 0x80;
}

/* The size of the ASCII that p[0, n) begins with, or a little less. */
static inline size_t ascii_prefix(const uint8_t *p, size_t n)
{
    size_t i = 0;
    while (n - i >= BLOCK && is_ascii_block(p + i)) i += BLOCK;
    while (n - i >= 8 && (word64(p + i) & 0x8080808080808080u) == 0) i += 8;
    return n - i < 8 && is_short_ascii(p + i, n - i) ? n : i;
}

/* Text of some length that is not ASCII, from its first bytes on. */
static bool is_mixed_utf8(const uint8_t *p, size_t n)
{
    size_t i = 0;
    /* Whole characters until there are three bytes before the rest. */
    while (i < 3) {
        size_t size = utf8_char(p + i, n - i);
        if (size == 0) return false;
        i += size;
    }
    return !utf8_wrong(p + i, n - i) && p[n - 1] < 0xC0 && p[n - 2] < 0xE0 && p[n - 3] < 0xF0;
}

static bool is_long_utf8(const uint8_t *p, size_t n)
{
    size_t i = ascii_prefix(p, n);
    if (n - i >= MIXED) return is_mixed_utf8(p + i, n - i);
    while (i < n) {
        size_t size = utf8_char(p + i, n - i);
        if (size == 0) return false;
        i += size;
    }
    return true;
}

static inline bool is_utf8(const uint8_t *p, size_t n)
{
    return (n <= 16 && is_short_ascii(p, n)) || is_long_utf8(p, n);
}

#endif
