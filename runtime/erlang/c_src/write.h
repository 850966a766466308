/*
 * Terms as frames of our own: in one walk over the term, where term_to_binary/1 takes one for the size and one for the bytes,
 * and the check of what it wrote a third. It writes what JSON could say, as aldis_etf_plain has it, and gives up on all else.
 *
 * Asking the VM for each part of a term takes longer than the VM's own walks do. This way is the quicker one because it asks
 * less: rows of data have the same keys, which are written again as they were the first time. A call takes a bounded time, so
 * terms of many parts are left to the VM. The VM copies text that does not begin at a byte's first bit before its size can be
 * asked for.
 */
#ifndef ALDIS_WRITE_H
#define ALDIS_WRITE_H

#include <erl_nif.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "utf8.h"

/* Parts of a term, keys included, where so many bytes of text count as one: some 120 microseconds. */
#ifndef MOST_PARTS
#define MOST_PARTS 10000
#endif
#define BYTES_A_PART 16
/* The walk recurses; terms that nest deeper are left to the VM. */
#define MOST_NESTED 100
/* Frames are made on the stack, of which the VM's threads have a megabyte. */
#ifndef LARGEST_FRAME
#define LARGEST_FRAME 65536
#endif
/* Room behind each frame for a part that is no text: nothing else has to be asked before it is written. */
#define SLACK 64
/* Atoms of so many characters end within it. */
#define LONGEST_ATOM 60
/*
 * Keys and atoms are remembered within one walk by their word, with the bytes that were written for them, up to so many: such
 * a place is half a cache line.
 */
#define MEMORY_BITS 6
#define LONGEST 23
/*
 * The first items of a list tell whether and how much the others will take. Where items have nothing in common, the VM is
 * quicker from so many on; and so it is with maps of more pairs, which are trees.
 */
#define SAMPLE 8
#define MOST_UNLIKE 40

typedef enum { WRITTEN, NOT_PLAIN, TOO_LARGE } written_t;

typedef struct {
    ERL_NIF_TERM term;
    uint8_t size;
    uint8_t bytes[LONGEST];
} known_t;

typedef struct {
    ErlNifEnv *env;
    uint8_t *at;
    int parts;
    int nested;
    /* How many were written as they were before. */
    int known;
    bool utf8;
    ERL_NIF_TERM is_struct, is_bytes;
    /* The places of the memory that are taken. */
    uint64_t taken;
    _Alignas(32) known_t memory[1 << MEMORY_BITS];
    uint8_t frame[LARGEST_FRAME + SLACK];
} writer_t;

static written_t write_term(writer_t *w, ERL_NIF_TERM term);

/* How many bytes of text there is room for; below zero where a part was put into the slack. */
static inline ptrdiff_t room(const writer_t *w) { return w->frame + LARGEST_FRAME - w->at; }

static inline void put32(uint8_t *p, uint32_t value)
{
    p[0] = (uint8_t)(value >> 24);
    p[1] = (uint8_t)(value >> 16);
    p[2] = (uint8_t)(value >> 8);
    p[3] = (uint8_t)value;
}

static inline void put_head(writer_t *w, uint8_t tag, uint32_t value)
{
    w->at[0] = tag;
    put32(w->at + 1, value);
    w->at += 5;
}

/* The place of a term in the memory. Within one call a term does not move, and no other one has its word. */
static inline size_t place_of(ERL_NIF_TERM term)
{
    return (size_t)((uint64_t)term * 0x9E3779B97F4A7C15u >> (64 - MEMORY_BITS));
}

/* Writes a term as it was written before, if it was. */
static inline bool write_known(writer_t *w, ERL_NIF_TERM term)
{
    size_t place = place_of(term);
    const known_t *known = &w->memory[place];
    if (!(w->taken >> place & 1) || known->term != term) return false;
    /* A size that compilers know is quicker than the right one. */
    memcpy(w->at, known->bytes, LONGEST);
    w->at += known->size;
    w->known++;
    return true;
}

/* Remembers the term whose bytes begin at `from'. */
static inline void remember(writer_t *w, ERL_NIF_TERM term, const uint8_t *from)
{
    size_t place = place_of(term), size = (size_t)(w->at - from);
    known_t *known = &w->memory[place];
    if (size > LONGEST) return;
    known->term = term;
    known->size = (uint8_t)size;
    memcpy(known->bytes, from, size);
    w->taken |= (uint64_t)1 << place;
}

/* An atom of ASCII, in the form that OTP 26 and later write. */
static written_t write_atom(writer_t *w, ERL_NIF_TERM atom)
{
    if (write_known(w, atom)) return WRITTEN;
    uint8_t *from = w->at;
    /* The end of the name, which is written too, lies in the slack at worst. */
    int size = enif_get_atom(w->env, atom, (char *)from + 2, LONGEST_ATOM + 1, ERL_NIF_LATIN1) - 1;
    if (size < 0 || ascii_prefix(from + 2, (size_t)size) != (size_t)size) return TOO_LARGE;
    from[0] = 119;
    from[1] = (uint8_t)size;
    w->at += 2 + size;
    remember(w, atom, from);
    return WRITTEN;
}

static written_t write_integer(writer_t *w, ERL_NIF_TERM term)
{
    ErlNifSInt64 value;
    /* Those of more bits are rare. */
    if (!enif_get_int64(w->env, term, &value)) return TOO_LARGE;
    if (value >= 0 && value < 256) {
        w->at[0] = 97;
        w->at[1] = (uint8_t)value;
        w->at += 2;
    } else if (value >= INT32_MIN && value <= INT32_MAX) {
        put_head(w, 98, (uint32_t)value);
    } else {
        uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
        uint8_t *size = w->at + 1;
        w->at[0] = 110;
        w->at[2] = value < 0;
        for (w->at += 3; left > 0; left >>= 8) *w->at++ = (uint8_t)left;
        *size = (uint8_t)(w->at - size - 2);
    }
    return WRITTEN;
}

static written_t write_float(writer_t *w, ERL_NIF_TERM term)
{
    double value;
    uint64_t bits;
    if (!enif_get_double(w->env, term, &value)) return NOT_PLAIN;
    memcpy(&bits, &value, sizeof bits);
    w->at[0] = 70;
    put32(w->at + 1, (uint32_t)(bits >> 32));
    put32(w->at + 5, (uint32_t)bits);
    w->at += 9;
    return WRITTEN;
}

/* Copies n bytes: few ones as words that overlap. */
static inline void put_bytes(uint8_t *to, const uint8_t *from, size_t n)
{
    if (n > 16 || n < 4) {
        memcpy(to, from, n);
    } else if (n >= 8) {
        uint64_t head = word64(from), tail = word64(from + n - 8);
        memcpy(to, &head, 8);
        memcpy(to + n - 8, &tail, 8);
    } else {
        uint32_t head = word32(from), tail = word32(from + n - 4);
        memcpy(to, &head, 4);
        memcpy(to + n - 4, &tail, 4);
    }
}

static written_t write_binary(writer_t *w, ERL_NIF_TERM term, bool utf8)
{
    ErlNifBinary text;
    if (!enif_inspect_binary(w->env, term, &text)) return NOT_PLAIN;
    if (text.size > LARGEST_FRAME || (ptrdiff_t)text.size > room(w)) return TOO_LARGE;
    w->parts -= (int)(text.size / BYTES_A_PART);
    if (utf8 && !is_utf8(text.data, text.size)) return NOT_PLAIN;
    put_head(w, 109, (uint32_t)text.size);
    put_bytes(w->at, text.data, text.size);
    w->at += text.size;
    return WRITTEN;
}

/*
 * How many more items of a list are written here, by what the SAMPLE first ones took, which began with so many parts left and
 * known terms behind, at `from': as many as there is room for, and few where nothing comes again.
 */
static inline size_t most_more(const writer_t *w, int parts, int known, size_t from)
{
    ptrdiff_t bytes = w->at - (w->frame + from);
    if (w->parts <= 0 || room(w) <= 0) return 0;
    if (w->known - known < SAMPLE) return MOST_UNLIKE;
    size_t by_parts = (size_t)w->parts * SAMPLE / (size_t)(parts - w->parts);
    size_t by_bytes = (size_t)room(w) * SAMPLE / (size_t)bytes;
    return by_parts < by_bytes ? by_parts : by_bytes;
}

/* Whether a list has more items than so many. */
static bool has_more(writer_t *w, ERL_NIF_TERM list, size_t most)
{
    ERL_NIF_TERM item;
    while (enif_get_list_cell(w->env, list, &item, &list))
        if (most-- == 0) return true;
    return false;
}

/* The list of n small integers that begins at `head', in its short form. */
static void shorten(writer_t *w, size_t head, size_t n)
{
    uint8_t *p = w->frame + head, *from = p + 5;
    p[0] = 107;
    p[1] = (uint8_t)(n >> 8);
    p[2] = (uint8_t)n;
    for (size_t i = 0; i < n; i++) p[3 + i] = from[2 * i + 1];
    w->at = p + 3 + n;
}

static written_t write_list(writer_t *w, ERL_NIF_TERM list)
{
    ERL_NIF_TERM item;
    size_t head = (size_t)(w->at - w->frame), n = 0;
    int parts = w->parts, known = w->known;
    bool bytes = true;
    if (enif_is_empty_list(w->env, list)) {
        *w->at++ = 106;
        return WRITTEN;
    }
    w->at += 5;
    for (; enif_get_list_cell(w->env, list, &item, &list); n++) {
        if (n == SAMPLE && has_more(w, list, most_more(w, parts, known, head))) return TOO_LARGE;
        size_t from = (size_t)(w->at - w->frame);
        written_t written = write_term(w, item);
        if (written != WRITTEN) return written;
        bytes &= w->frame[from] == 97;
    }
    if (!enif_is_empty_list(w->env, list)) return NOT_PLAIN;
    if (bytes && n <= UINT16_MAX) {
        shorten(w, head, n);
        return WRITTEN;
    }
    if (room(w) < 0) return TOO_LARGE;
    *w->at++ = 106;
    w->frame[head] = 108;
    put32(w->frame + head + 1, (uint32_t)n);
    return WRITTEN;
}

static written_t write_new_key(writer_t *w, ERL_NIF_TERM key)
{
    uint8_t *from = w->at;
    written_t written;
    switch (enif_term_type(w->env, key)) {
    case ERL_NIF_TERM_TYPE_ATOM: return write_atom(w, key);
    case ERL_NIF_TERM_TYPE_INTEGER: return write_integer(w, key);
    case ERL_NIF_TERM_TYPE_BITSTRING:
        written = write_binary(w, key, w->utf8);
        if (written == WRITTEN) remember(w, key, from);
        return written;
    default: return NOT_PLAIN;
    }
}

static inline written_t write_key(writer_t *w, ERL_NIF_TERM key)
{
    if (key == w->is_struct) return NOT_PLAIN;
    if (room(w) < 0) return TOO_LARGE;
    return write_known(w, key) ? WRITTEN : write_new_key(w, key);
}

static written_t write_map(writer_t *w, ERL_NIF_TERM map)
{
    ErlNifMapIterator at;
    ERL_NIF_TERM key, value;
    size_t size;
    written_t written = WRITTEN;
    if (!enif_get_map_size(w->env, map, &size) || size > MOST_UNLIKE || size > (size_t)w->parts) return TOO_LARGE;
    put_head(w, 116, (uint32_t)size);
    if (size == 0) return WRITTEN;
    w->parts -= (int)size;
    if (!enif_map_iterator_create(w->env, map, &at, ERL_NIF_MAP_ITERATOR_FIRST)) return TOO_LARGE;
    while (written == WRITTEN && enif_map_iterator_get_pair(w->env, &at, &key, &value)) {
        written = write_key(w, key);
        if (written == WRITTEN) written = write_term(w, value);
        enif_map_iterator_next(w->env, &at);
    }
    enif_map_iterator_destroy(w->env, &at);
    return written;
}

/* `{bytes, Binary}'. */
static written_t write_tuple(writer_t *w, ERL_NIF_TERM term)
{
    const ERL_NIF_TERM *items;
    int arity;
    if (!enif_get_tuple(w->env, term, &arity, &items) || arity != 2 || items[0] != w->is_bytes) return NOT_PLAIN;
    w->at[0] = 104;
    w->at[1] = 2;
    w->at += 2;
    written_t written = write_atom(w, items[0]);
    return written == WRITTEN ? write_binary(w, items[1], false) : written;
}

static written_t write_nested(writer_t *w, ERL_NIF_TERM term, written_t (*write)(writer_t *, ERL_NIF_TERM))
{
    if (w->nested == MOST_NESTED) return TOO_LARGE;
    w->nested++;
    written_t written = write(w, term);
    w->nested--;
    return written;
}

static written_t write_term(writer_t *w, ERL_NIF_TERM term)
{
    if (--w->parts < 0 || room(w) < 0) return TOO_LARGE;
    switch (enif_term_type(w->env, term)) {
    case ERL_NIF_TERM_TYPE_BITSTRING: return write_binary(w, term, w->utf8);
    case ERL_NIF_TERM_TYPE_INTEGER: return write_integer(w, term);
    case ERL_NIF_TERM_TYPE_ATOM: return write_atom(w, term);
    case ERL_NIF_TERM_TYPE_FLOAT: return write_float(w, term);
    case ERL_NIF_TERM_TYPE_TUPLE: return write_tuple(w, term);
    case ERL_NIF_TERM_TYPE_LIST: return write_nested(w, term, write_list);
    case ERL_NIF_TERM_TYPE_MAP: return write_nested(w, term, write_map);
    default: return NOT_PLAIN;
    }
}

static inline void writer_start(writer_t *w, ErlNifEnv *env, bool utf8, ERL_NIF_TERM is_struct, ERL_NIF_TERM is_bytes)
{
    w->env = env;
    w->at = w->frame;
    w->parts = MOST_PARTS;
    w->nested = 0;
    w->known = 0;
    w->utf8 = utf8;
    w->is_struct = is_struct;
    w->is_bytes = is_bytes;
    w->taken = 0;
    *w->at++ = 131;
}

/* The frame as a binary of the VM. */
static inline ERL_NIF_TERM writer_frame(const writer_t *w)
{
    size_t size = (size_t)(w->at - w->frame);
    ERL_NIF_TERM frame;
    memcpy(enif_make_new_binary(w->env, size, &frame), w->frame, size);
    return frame;
}

#endif
