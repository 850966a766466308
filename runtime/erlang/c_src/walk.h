/*
 * Walks over messages in a buffer: where the whole ones end. The same answers as aldis_scan's, in Erlang.
 *
 * Nothing is written but a struct of fixed size and nothing is read outside of the buffer. A run takes a bounded time; the
 * struct says where the next one goes on.
 */
#ifndef ALDIS_WALK_H
#define ALDIS_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A run ends after about so many messages, within half a millisecond even where each lies in a cache line of its own. */
#ifndef RUN_MESSAGES
#define RUN_MESSAGES 20000
#endif
/* Messages of the same size as the one before are walked so many at once. */
#define ROW 8

typedef enum { LITTLE, BIG } endian_t;

typedef struct {
    /* The begin of the next message, and how many came before it. */
    size_t at;
    uint64_t count;
    /* The begin of the last whole message, if count > 0. */
    size_t last;
    /* Walks end at a payload of more bytes, and at this many messages. */
    uint32_t max_size;
    uint64_t max_count;
    endian_t endian;
    /* Bytes of a message that come before its size. */
    uint32_t id;
} walk_t;

static inline uint32_t raw_size(const uint8_t *p)
{
    uint32_t raw;
    memcpy(&raw, p, sizeof raw);
    return raw;
}

static inline uint32_t size_of(const uint8_t *p, endian_t endian)
{
    uint32_t a = p[0], b = p[1], c = p[2], d = p[3];
    return endian == LITTLE ? a | b << 8 | c << 16 | d << 24 : d | c << 8 | b << 16 | a << 24;
}

/*
 * How many rows of messages, alike to the one before them, begin at p. The places of all sizes are known in advance, so
 * that reading them does not wait for one another.
 */
static inline uint64_t rows_alike(const uint8_t *p, const uint8_t *end, size_t step, size_t id, uint64_t most)
{
    uint32_t raw = raw_size(p - step + id);
    uint64_t rows = 0;
    while (rows < most && (size_t)(end - p) >= ROW * step) {
        uint32_t differ = 0;
        for (size_t i = 0; i < ROW; i++) differ |= raw_size(p + i * step + id) ^ raw;
        if (differ != 0) break;
        p += ROW * step;
        rows++;
    }
    return rows;
}

/* A run of the walk: whether it has come to its end. */
static inline bool walk_run(walk_t *w, const uint8_t *buffer, size_t size)
{
    const uint8_t *p = buffer + w->at, *end = buffer + size, *last = buffer + w->last;
    const size_t head = w->id + 4;
    const endian_t endian = w->endian;
    uint64_t count = w->count, stop = count + RUN_MESSAGES;
    uint32_t before = 0;
    bool over = false;
    if (stop > w->max_count) stop = w->max_count;
    while (count < stop) {
        if ((size_t)(end - p) < head) { over = true; break; }
        uint32_t n = size_of(p + w->id, endian);
        if (n > w->max_size || n > (size_t)(end - p) - head) { over = true; break; }
        last = p;
        if (n == before && stop - count > ROW) {
            uint64_t rows = rows_alike(p + head + n, end, head + n, w->id, (stop - count - 1) / ROW);
            count += rows * ROW;
            last += rows * ROW * (head + n);
        }
        p = last + head + n;
        before = n;
        count++;
    }
    w->at = (size_t)(p - buffer);
    w->last = (size_t)(last - buffer);
    w->count = count;
    return over || count == w->max_count;
}

/* The start of a walk over legacy messages: as many as there are. */
static inline void legacy_start(walk_t *w, size_t at, endian_t endian, uint32_t max_size)
{
    *w = (walk_t){.at = at, .last = at, .max_size = max_size, .max_count = UINT64_MAX, .endian = endian, .id = 8};
}

/* The start of a walk over this many entries of a batch. */
static inline void entries_start(walk_t *w, size_t at, uint32_t count)
{
    *w = (walk_t){.at = at, .last = at, .max_size = UINT32_MAX, .max_count = count, .endian = LITTLE, .id = 0};
}

#endif
