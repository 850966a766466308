/*
 * Terms as frames of our own: in one walk over the term, where term_to_binary/1 takes one for the size and one for the bytes,
 * and the check of what it wrote a third. It writes what JSON could say, as aldis_etf_plain has it, and gives up on all else.
 *
 * Asking the VM for each part of a term takes longer than its own two walks do, so that this way is the quicker one of small
 * terms alone, which come most often. Those of more parts are left to the VM. The VM copies text that does not begin at a byte's
 * first bit before its size can be asked for.
 */
#ifndef ALDIS_WRITE_H
#define ALDIS_WRITE_H

#include <erl_nif.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "utf8.h"

/* Parts of a term, where so many bytes of text count as one. */
#define MOST_PARTS 48
#define BYTES_A_PART 16
/* Frames are made on the stack; so are those of most terms of so few parts. */
#define SMALL_FRAME 2048
/* Atoms are remembered within one walk by their word; rows of data have the same few keys. */
#define ATOMS 32
#define LONGEST_ATOM 30

typedef enum { WRITTEN, NOT_PLAIN, TOO_LARGE } written_t;

typedef struct {
    ERL_NIF_TERM atom;
    uint8_t size;
    uint8_t name[LONGEST_ATOM];
} atom_t;

typedef struct {
    ErlNifEnv *env;
    uint8_t *at;
    int parts;
    bool utf8;
    ERL_NIF_TERM is_struct, is_bytes;
    /* Where in `atoms' an atom was put, and that it was. */
    uint32_t known;
    atom_t atoms[ATOMS];
    uint8_t frame[SMALL_FRAME];
} writer_t;

static written_t write_term(writer_t *w, ERL_NIF_TERM term);

/* Whether there is room for n more bytes. */
static inline bool room(writer_t *w, size_t n) { return n <= (size_t)(w->frame + SMALL_FRAME - w->at); }

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

/* An atom of ASCII, in the form that OTP 26 and later write. */
static written_t write_atom(writer_t *w, ERL_NIF_TERM atom)
{
    /* The lowest bits are the same in all atoms. */
    size_t slot = (size_t)(atom >> 6) % ATOMS;
    atom_t *known = &w->atoms[slot];
    if (!(w->known >> slot & 1) || known->atom != atom) {
        char name[LONGEST_ATOM + 1];
        int size = enif_get_atom(w->env, atom, name, sizeof name, ERL_NIF_LATIN1) - 1;
        if (size < 0 || ascii_prefix((const uint8_t *)name, (size_t)size) != (size_t)size) return TOO_LARGE;
        known->atom = atom;
        known->size = (uint8_t)size;
        memcpy(known->name, name, (size_t)size);
        w->known |= (uint32_t)1 << slot;
    }
    if (!room(w, 2 + LONGEST_ATOM)) return TOO_LARGE;
    w->at[0] = 119;
    w->at[1] = known->size;
    /* A size that compilers know is quicker than the right one. */
    memcpy(w->at + 2, known->name, LONGEST_ATOM);
    w->at += 2 + known->size;
    return WRITTEN;
}

static written_t write_integer(writer_t *w, ERL_NIF_TERM term)
{
    ErlNifSInt64 value;
    /* Those of more bits are rare. */
    if (!enif_get_int64(w->env, term, &value) || !room(w, 11)) return TOO_LARGE;
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
    if (!room(w, 9)) return TOO_LARGE;
    memcpy(&bits, &value, sizeof bits);
    w->at[0] = 70;
    put32(w->at + 1, (uint32_t)(bits >> 32));
    put32(w->at + 5, (uint32_t)bits);
    w->at += 9;
    return WRITTEN;
}

static written_t write_binary(writer_t *w, ERL_NIF_TERM term, bool utf8)
{
    ErlNifBinary text;
    if (!enif_inspect_binary(w->env, term, &text)) return NOT_PLAIN;
    if (text.size / BYTES_A_PART > (size_t)w->parts || !room(w, 5 + text.size)) return TOO_LARGE;
    w->parts -= (int)(text.size / BYTES_A_PART);
    if (utf8 && !is_utf8(text.data, text.size)) return NOT_PLAIN;
    put_head(w, 109, (uint32_t)text.size);
    memcpy(w->at, text.data, text.size);
    w->at += text.size;
    return WRITTEN;
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
    if (enif_is_empty_list(w->env, list)) {
        if (!room(w, 1)) return TOO_LARGE;
        *w->at++ = 106;
        return WRITTEN;
    }
    if (!room(w, 5)) return TOO_LARGE;
    w->at += 5;
    bool bytes = true;
    for (; enif_get_list_cell(w->env, list, &item, &list); n++) {
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
    if (!room(w, 1)) return TOO_LARGE;
    *w->at++ = 106;
    w->frame[head] = 108;
    put32(w->frame + head + 1, (uint32_t)n);
    return WRITTEN;
}

static written_t write_key(writer_t *w, ERL_NIF_TERM key)
{
    switch (enif_term_type(w->env, key)) {
    case ERL_NIF_TERM_TYPE_ATOM: return key == w->is_struct ? NOT_PLAIN : write_atom(w, key);
    case ERL_NIF_TERM_TYPE_INTEGER: return write_integer(w, key);
    case ERL_NIF_TERM_TYPE_BITSTRING: return write_binary(w, key, w->utf8);
    default: return NOT_PLAIN;
    }
}

static written_t write_map(writer_t *w, ERL_NIF_TERM map)
{
    ErlNifMapIterator at;
    ERL_NIF_TERM key, value;
    size_t size;
    written_t written = WRITTEN;
    if (!enif_get_map_size(w->env, map, &size) || !room(w, 5)) return TOO_LARGE;
    put_head(w, 116, (uint32_t)size);
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
    if (!room(w, 2)) return TOO_LARGE;
    w->at[0] = 104;
    w->at[1] = 2;
    w->at += 2;
    written_t written = write_atom(w, items[0]);
    return written == WRITTEN ? write_binary(w, items[1], false) : written;
}

static written_t write_term(writer_t *w, ERL_NIF_TERM term)
{
    if (--w->parts < 0) return TOO_LARGE;
    switch (enif_term_type(w->env, term)) {
    case ERL_NIF_TERM_TYPE_BITSTRING: return write_binary(w, term, w->utf8);
    case ERL_NIF_TERM_TYPE_INTEGER: return write_integer(w, term);
    case ERL_NIF_TERM_TYPE_ATOM: return write_atom(w, term);
    case ERL_NIF_TERM_TYPE_FLOAT: return write_float(w, term);
    case ERL_NIF_TERM_TYPE_TUPLE: return write_tuple(w, term);
    /* The walk recurses: not deeper than a term has parts. */
    case ERL_NIF_TERM_TYPE_LIST: return write_list(w, term);
    case ERL_NIF_TERM_TYPE_MAP: return write_map(w, term);
    default: return NOT_PLAIN;
    }
}

static inline void writer_start(writer_t *w, ErlNifEnv *env, bool utf8, ERL_NIF_TERM is_struct, ERL_NIF_TERM is_bytes)
{
    w->env = env;
    w->at = w->frame;
    w->parts = MOST_PARTS;
    w->utf8 = utf8;
    w->is_struct = is_struct;
    w->is_bytes = is_bytes;
    w->known = 0;
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
