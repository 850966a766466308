/*
 * The check of aldis_etf_scan for frames that pass it: whether a frame is one allowed term within its limits. It may give
 * up where it pleases, since what it does not accept is judged by aldis_etf_scan; it must never accept more.
 *
 * The same for frames of our own, made of terms that are perhaps data, in place of aldis_etf_plain's walk: any atom is
 * allowed there, and keys may be atoms and integers, but no struct's.
 *
 * Nothing is written but a struct of fixed size, nothing is read outside of the frame, and nothing recurses. A run takes
 * a bounded time; the struct says where the next one goes on.
 */
#ifndef ALDIS_SCAN_H
#define ALDIS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "utf8.h"

/* Open lists and maps; frames that nest deeper, where limits allow it, are not accepted here. */
#define MOST_OPEN 128
/*
 * A run of the scan ends after so many terms, within half a millisecond; so many bytes of text or numbers count as a
 * term. Tests make runs shorter.
 */
#ifndef RUN_TERMS
#define RUN_TERMS 25000
#endif
#define BYTES_A_TERM 16
/* Longer text is checked in pieces of so many bytes, a run each. */
#define PIECE ((size_t)(RUN_TERMS / 2 * BYTES_A_TERM))
/* Numbers with their tags, and so many bytes of them that are read at once. */
#define INTEGER 5
#define FLOAT 9
#define NUMBERS ((ptrdiff_t)(RUN_TERMS / 2))

typedef struct {
    size_t at;
    /* Bytes of a long text that are left to check. */
    size_t text;
    /* Terms that may still come. */
    uint64_t nodes;
    uint64_t most_digits;
    bool utf8;
    /* The frame is our own. */
    bool own;
    /* A value comes next, whatever `left' says: the frame's one term, or that of a key. */
    bool due;
    int most_open;
    int open;
    /* As in aldis_etf_scan: 0 nothing more, n > 0 the last n - 1 elements of a list and its tail, n < 0 the last -n
     * pairs of a map. */
    int64_t left;
    int64_t outer[MOST_OPEN];
} scan_t;

typedef enum { REFUSED, ACCEPTED, GO_ON } verdict_t;

static inline uint32_t u16(const uint8_t *p) { return (uint32_t)p[0] << 8 | p[1]; }

static inline uint32_t u32(const uint8_t *p) { return u16(p) << 16 | u16(p + 2); }

/* Whether n bytes, an atom's name, are nil, true or false. */
static bool plain_atom(const uint8_t *p, size_t n)
{
    return (n == 3 && memcmp(p, "nil", 3) == 0) || (n == 4 && memcmp(p, "true", 4) == 0) ||
           (n == 5 && memcmp(p, "false", 5) == 0);
}

/* NaN and the infinities have all bits of the exponent set; the VM has no such floats. */
static inline bool is_finite(const uint8_t *p) { return (u16(p) & 0x7FF0) != 0x7FF0; }

/*
 * The bytes behind `{bytes, Binary}`'s tag, a tuple of two that marks bytes which are no text; NULL if it is another
 * tuple or not there. It takes as much memory as two values.
 */
static inline const uint8_t *marked(scan_t *s, const uint8_t *p, size_t room)
{
    static const uint8_t name[] = {'b', 'y', 't', 'e', 's', 109};
    if (room < 3 || p[0] != 2 || s->nodes == 0) return NULL;
    size_t head = p[1] == 119 || p[1] == 115 ? 3 : p[1] == 118 || p[1] == 100 ? 4 : 0;
    if (head == 0 || room < head + sizeof name + 4) return NULL;
    if ((head == 3 ? p[2] : u16(p + 2)) != 5 || memcmp(p + head, name, sizeof name) != 0) return NULL;
    size_t size = u32(p + head + sizeof name);
    if (size > room - head - sizeof name - 4) return NULL;
    s->nodes--;
    return p + head + sizeof name + 4 + size;
}

/* Whether a name is the key that makes a struct of a map. */
static bool is_struct(const uint8_t *p, size_t n) { return n == 10 && memcmp(p, "__struct__", 10) == 0; }

/* The bytes behind a key, behind its tag, that is no binary in a frame of our own; NULL if it is not allowed. */
static inline const uint8_t *own_key(uint8_t tag, const uint8_t *p, const uint8_t *end)
{
    size_t room = (size_t)(end - p), size, head = 0;
    switch (tag) {
    case 97: size = 1; break;
    case 98: size = 4; break;
    case 110:
        if (room < 1) return NULL;
        size = 2 + (size_t)p[0];
        break;
    case 115:
    case 119:
        if (room < 1) return NULL;
        head = 1;
        size = head + p[0];
        break;
    case 100:
    case 118:
        if (room < 2) return NULL;
        head = 2;
        size = head + u16(p);
        break;
    default: return NULL;
    }
    if (size > room || (head > 0 && is_struct(p + head, size - head))) return NULL;
    return p + size;
}

/* The bytes behind a value that is no text, list or map, behind its tag; NULL if it is not allowed or not there. */
static inline const uint8_t *scalar(scan_t *s, uint8_t tag, const uint8_t *p, const uint8_t *end)
{
    size_t room = (size_t)(end - p), size;
    switch (tag) {
    case 97: size = 1; break;
    case 98: size = 4; break;
    case 106: size = 0; break;
    case 70:
        if (room < 8 || !is_finite(p)) return NULL;
        size = 8;
        break;
    case 115:
    case 119:
        if (room < 1 || p[0] >= room || !(s->own || plain_atom(p + 1, p[0]))) return NULL;
        size = 1 + (size_t)p[0];
        break;
    case 100:
    case 118:
        if (room < 2 || u16(p) > room - 2 || !(s->own || plain_atom(p + 2, u16(p)))) return NULL;
        size = 2 + (size_t)u16(p);
        break;
    case 104: return marked(s, p, room);
    case 110:
        if (room < 1 || p[0] > s->most_digits) return NULL;
        size = 2 + (size_t)p[0];
        break;
    case 107:
        if (room < 2 || u16(p) > s->nodes) return NULL;
        size = 2 + (size_t)u16(p);
        s->nodes -= u16(p);
        break;
    default: return NULL;
    }
    return size <= room ? p + size : NULL;
}

/* The bytes behind a text whose size is at p; NULL if it is not allowed or not there. A long one is left to `s->text'. */
static inline const uint8_t *text(scan_t *s, const uint8_t *p, const uint8_t *end)
{
    if (end - p < 4) return NULL;
    size_t n = u32(p);
    p += 4;
    if (n > (size_t)(end - p)) return NULL;
    if (!s->utf8) return p + n;
    if (n > PIECE) {
        s->text = n;
        return p;
    }
    return is_utf8(p, n) ? p + n : NULL;
}

/* The next piece of a long text, which ends with a whole character. */
static bool long_text(scan_t *s, const uint8_t *frame)
{
    const uint8_t *p = frame + s->at;
    size_t n = s->text;
    if (n > PIECE) {
        n = PIECE;
        while (n > PIECE - 4 && (p[n] & 0xC0) == 0x80) n--;
    }
    s->at += n;
    s->text -= n;
    return is_utf8(p, n);
}

/* Opens a list (its elements and tail) or map of so many nodes inside of one with so much left. */
static inline bool enter(scan_t *s, int64_t left, uint64_t nodes)
{
    if (s->open == s->most_open || nodes > s->nodes) return false;
    s->nodes -= nodes;
    s->outer[s->open++] = left;
    return true;
}

/* A run of the scan. What changes at every step is kept in variables, and saved in the end. */
static verdict_t scan_run(scan_t *s, const uint8_t *frame, size_t size)
{
    if (s->text > 0) return long_text(s, frame) ? GO_ON : REFUSED;
    const uint8_t *p = frame + s->at, *end = frame + size;
    int64_t left = s->left, terms = RUN_TERMS;
    bool due = s->due;
    while (terms > 0) {
        const uint8_t *start = p;
        if (!due && left <= 1) {
            if (left == 0 && s->open == 0) break;
            if (left == 1 && (p == end || *p++ != 106)) return REFUSED;
            if (left >= 0) {
                left = s->outer[--s->open];
                continue;
            }
            if (p == end) return REFUSED;
            uint8_t key = *p++;
            if (key == 109) p = text(s, p, end);
            else p = s->own ? own_key(key, p, end) : NULL;
            if (p == NULL) return REFUSED;
            terms -= (p - start) / BYTES_A_TERM;
            left++;
            due = true;
            if (s->text > 0) break;
        }
        if (!due) left--;
        due = false;
        terms--;
        if (p == end) return REFUSED;
        uint8_t tag = *p++;
        if (tag == 109) {
            if ((p = text(s, p, end)) == NULL) return REFUSED;
            terms -= (p - start) / BYTES_A_TERM;
            if (s->text > 0) break;
        } else if (tag == 108 || tag == 116) {
            if (end - p < 4) return REFUSED;
            int64_t count = u32(p);
            p += 4;
            if (!enter(s, left, (uint64_t)(tag == 116 ? 2 * count : count))) return REFUSED;
            left = tag == 116 ? -count : count + 1;
        } else if ((p = scalar(s, tag, p, end)) == NULL) {
            return REFUSED;
        } else {
            /* Numbers come in rows. */
            const uint8_t *stop = end - p > NUMBERS ? p + NUMBERS : end;
            while (left > 1 && stop - p > INTEGER && *p == 98) p += INTEGER, left--;
            while (left > 1 && stop - p > FLOAT && *p == 70 && is_finite(p + 1)) p += FLOAT, left--;
            terms -= (p - start) / BYTES_A_TERM;
        }
    }
    s->at = (size_t)(p - frame);
    s->left = left;
    s->due = due;
    if (due || left != 0 || s->open != 0 || s->text > 0) return GO_ON;
    return p == end ? ACCEPTED : REFUSED;
}

/* The start of a frame's scan. */
static void scan_start(scan_t *s, size_t size, uint64_t depth, uint64_t nodes, uint64_t most_digits, bool utf8)
{
    s->at = 1;
    s->text = 0;
    /* Every node takes a byte at least. */
    s->nodes = nodes < size ? nodes : size;
    s->most_digits = most_digits;
    s->utf8 = utf8;
    s->own = false;
    s->due = true;
    s->most_open = depth < MOST_OPEN ? (int)depth : MOST_OPEN;
    s->open = 0;
    s->left = 0;
}

/* The start of the scan of a frame of our own. */
static inline void scan_start_own(scan_t *s, size_t size, bool utf8)
{
    scan_start(s, size, MOST_OPEN, UINT64_MAX, UINT8_MAX, utf8);
    s->own = true;
}

#endif
