/*
 * As much of the VM's interface for native functions as c_src/write.h asks, outside of the VM: terms read from frames. Every
 * part of a term is memory of its own and exact size, so that no read beyond it goes unseen. Nothing is freed before forget().
 */
#ifndef ALDIS_FAKE_VM_H
#define ALDIS_FAKE_VM_H

#include <erl_nif.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Deeper than the writer goes. */
#define DEEPEST 300

typedef struct part {
    struct part *before;
    ErlNifTermType type;
    /* The number of a float, or of an integer that has 64 bits; else `size' is 1. */
    int64_t integer;
    double real;
    /* Bytes of a binary or an atom's name in UTF-8, both parts of a list cell, the elements of a tuple, keys and values of a map. */
    size_t size;
    uint8_t *bytes;
    ERL_NIF_TERM *items;
} part_t;

typedef struct {
    const uint8_t *at, *end;
    int depth;
} reader_t;

static part_t *parts;
static uint64_t asked;
static ERL_NIF_TERM nil_list;

static inline part_t *part_of(ERL_NIF_TERM term) { return (part_t *)term; }

static void *owned(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL) abort();
    return memory;
}

static part_t *new_part(ErlNifTermType type, const uint8_t *bytes, size_t size, size_t items)
{
    part_t *part = calloc(1, sizeof *part);
    if (part == NULL) abort();
    *part = (part_t){.before = parts, .type = type, .size = size};
    if (bytes != NULL) memcpy(part->bytes = owned(size), bytes, size);
    if (items > 0) part->items = owned(items * sizeof(ERL_NIF_TERM));
    return parts = part;
}

static void forget(void)
{
    for (part_t *part = parts, *before; part != NULL; part = before) {
        before = part->before;
        free(part->bytes);
        free(part->items);
        free(part);
    }
    parts = NULL;
    nil_list = 0;
}

static ERL_NIF_TERM empty_list(void)
{
    if (nil_list == 0) nil_list = (ERL_NIF_TERM)new_part(ERL_NIF_TERM_TYPE_LIST, NULL, 0, 0);
    return nil_list;
}

/* Atoms of the same name are the same term. */
static ERL_NIF_TERM atom(const uint8_t *name, size_t size)
{
    for (part_t *part = parts; part != NULL; part = part->before)
        if (part->type == ERL_NIF_TERM_TYPE_ATOM && part->size == size && (size == 0 || memcmp(part->bytes, name, size) == 0))
            return (ERL_NIF_TERM)part;
    return (ERL_NIF_TERM)new_part(ERL_NIF_TERM_TYPE_ATOM, name, size, 0);
}

static bool has(const reader_t *r, size_t n) { return (size_t)(r->end - r->at) >= n; }

static uint32_t number(reader_t *r, int bytes)
{
    uint32_t value = 0;
    while (bytes-- > 0) value = value << 8 | *r->at++;
    return value;
}

static ERL_NIF_TERM read_integer(reader_t *r, uint8_t tag)
{
    if (!has(r, tag == 98 ? 4 : 1)) return 0;
    part_t *part = new_part(ERL_NIF_TERM_TYPE_INTEGER, NULL, 0, 0);
    if (tag != 110) {
        part->integer = tag == 97 ? *r->at++ : (int32_t)number(r, 4);
        return (ERL_NIF_TERM)part;
    }
    size_t n = *r->at++;
    if (!has(r, n + 1)) return 0;
    bool negative = *r->at++ != 0;
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++) {
        if (i < 8) value |= (uint64_t)r->at[i] << 8 * i;
        else if (r->at[i] != 0) part->size = 1;
    }
    r->at += n;
    if (value > (uint64_t)INT64_MAX + negative) part->size = 1;
    part->integer = (int64_t)(negative ? 0 - value : value);
    return (ERL_NIF_TERM)part;
}

static ERL_NIF_TERM read_float(reader_t *r)
{
    if (!has(r, 8) || ((r->at[0] & 0x7F) == 0x7F && (r->at[1] & 0xF0) == 0xF0)) return 0;
    uint64_t bits = (uint64_t)number(r, 4) << 32;
    bits |= number(r, 4);
    part_t *part = new_part(ERL_NIF_TERM_TYPE_FLOAT, NULL, 0, 0);
    memcpy(&part->real, &bits, sizeof bits);
    return (ERL_NIF_TERM)part;
}

/* ASCII, and what UTF-8 has of Latin-1, so that names are compared as bytes. */
static ERL_NIF_TERM read_atom(reader_t *r, int head)
{
    if (!has(r, (size_t)head)) return 0;
    size_t n = number(r, head);
    if (!has(r, n)) return 0;
    for (size_t i = 0; i < n; i++) {
        if (r->at[i] < 0x80) continue;
        if ((r->at[i] != 0xC2 && r->at[i] != 0xC3) || i + 1 == n || (r->at[i + 1] & 0xC0) != 0x80) return 0;
        i++;
    }
    r->at += n;
    return n > 255 ? 0 : atom(r->at - n, n);
}

/* With SHARED, a short binary like one of the last parts is the same term, as a literal is. */
static ERL_NIF_TERM shared(const uint8_t *bytes, size_t size)
{
#ifdef SHARED
    int left = 50;
    for (part_t *part = parts; part != NULL && left > 0; part = part->before, left--)
        if (part->type == ERL_NIF_TERM_TYPE_BITSTRING && part->size == size && size > 0 && memcmp(part->bytes, bytes, size) == 0)
            return (ERL_NIF_TERM)part;
#endif
    (void)bytes, (void)size;
    return 0;
}

static ERL_NIF_TERM read_binary(reader_t *r)
{
    if (!has(r, 4)) return 0;
    size_t n = number(r, 4);
    if (!has(r, n)) return 0;
    r->at += n;
    ERL_NIF_TERM known = shared(r->at - n, n);
    return known != 0 ? known : (ERL_NIF_TERM)new_part(ERL_NIF_TERM_TYPE_BITSTRING, r->at - n, n, 0);
}

static ERL_NIF_TERM read_part(reader_t *r);

static ERL_NIF_TERM cell(ERL_NIF_TERM item)
{
    part_t *part = new_part(ERL_NIF_TERM_TYPE_LIST, NULL, 2, 2);
    part->items[0] = item;
    part->items[1] = empty_list();
    return (ERL_NIF_TERM)part;
}

/* A list, or the bytes of a short one. */
static ERL_NIF_TERM read_list(reader_t *r, bool bytes)
{
    if (!has(r, bytes ? 2 : 4)) return 0;
    size_t n = number(r, bytes ? 2 : 4);
    if (!has(r, n)) return 0;
    ERL_NIF_TERM list = empty_list(), item, *next = &list;
    for (; n > 0; n--) {
        if (bytes) {
            part_t *part = new_part(ERL_NIF_TERM_TYPE_INTEGER, NULL, 0, 0);
            part->integer = *r->at++;
            item = (ERL_NIF_TERM)part;
        } else if ((item = read_part(r)) == 0) {
            return 0;
        }
        *next = cell(item);
        next = &part_of(*next)->items[1];
    }
    if (!bytes && (*next = read_part(r)) == 0) return 0;
    return list;
}

/* So many parts that follow: of a map or a tuple. */
static ERL_NIF_TERM read_items(reader_t *r, ErlNifTermType type, size_t items)
{
    if (!has(r, items)) return 0;
    part_t *part = new_part(type, NULL, items, items);
    for (size_t i = 0; i < items; i++)
        if ((part->items[i] = read_part(r)) == 0) return 0;
    return (ERL_NIF_TERM)part;
}

static ERL_NIF_TERM read_tagged(reader_t *r, uint8_t tag)
{
    switch (tag) {
    case 97:
    case 98:
    case 110: return read_integer(r, tag);
    case 70: return read_float(r);
    case 118: return read_atom(r, 2);
    case 119: return read_atom(r, 1);
    case 109: return read_binary(r);
    case 106: return empty_list();
    case 107: return read_list(r, true);
    case 108: return read_list(r, false);
    case 104: return has(r, 1) ? read_items(r, ERL_NIF_TERM_TYPE_TUPLE, number(r, 1)) : 0;
    case 116: return has(r, 4) ? read_items(r, ERL_NIF_TERM_TYPE_MAP, 2 * (size_t)number(r, 4)) : 0;
    default: return 0;
    }
}

/* The next term, or 0. */
static ERL_NIF_TERM read_part(reader_t *r)
{
    if (!has(r, 1) || r->depth == DEEPEST) return 0;
    r->depth++;
    ERL_NIF_TERM term = read_tagged(r, *r->at++);
    r->depth--;
    return term;
}

/* The term of a frame, or 0 if there is none, or one that this knows nothing of. */
static ERL_NIF_TERM read_frame(const uint8_t *frame, size_t size)
{
    reader_t r = {frame + 1, frame + size, 0};
    if (size == 0 || frame[0] != 131) return 0;
    ERL_NIF_TERM term = read_part(&r);
    return r.at == r.end ? term : 0;
}

static bool same(ERL_NIF_TERM a, ERL_NIF_TERM b)
{
    /* Lists are long rather than deep. */
    for (;; a = part_of(a)->items[1], b = part_of(b)->items[1]) {
        const part_t *x = part_of(a), *y = part_of(b);
        if (x->type != y->type || x->size != y->size || x->integer != y->integer) return false;
        if (memcmp(&x->real, &y->real, sizeof x->real) != 0) return false;
        if (x->bytes != NULL && memcmp(x->bytes, y->bytes, x->size) != 0) return false;
        if (x->items == NULL) return true;
        bool is_cell = x->type == ERL_NIF_TERM_TYPE_LIST;
        for (size_t i = 0; i < (is_cell ? 1 : x->size); i++)
            if (!same(x->items[i], y->items[i])) return false;
        if (!is_cell) return true;
    }
}

/* The interface. */

ErlNifTermType enif_term_type(ErlNifEnv *env, ERL_NIF_TERM term)
{
    (void)env, asked++;
    return part_of(term)->type;
}

int enif_get_int64(ErlNifEnv *env, ERL_NIF_TERM term, ErlNifSInt64 *value)
{
    (void)env, asked++;
    *value = part_of(term)->integer;
    return part_of(term)->type == ERL_NIF_TERM_TYPE_INTEGER && part_of(term)->size == 0;
}

int enif_get_double(ErlNifEnv *env, ERL_NIF_TERM term, double *value)
{
    (void)env, asked++;
    *value = part_of(term)->real;
    return part_of(term)->type == ERL_NIF_TERM_TYPE_FLOAT;
}

/* The name in Latin-1, with a zero behind it. */
int enif_get_atom(ErlNifEnv *env, ERL_NIF_TERM term, char *name, unsigned size, ErlNifCharEncoding encoding)
{
    const part_t *part = part_of(term);
    unsigned n = 0;
    (void)env, (void)encoding, asked++;
    if (part->type != ERL_NIF_TERM_TYPE_ATOM) return 0;
    for (size_t i = 0; i < part->size; i++) n += (part->bytes[i] & 0xC0) != 0x80;
    if (n >= size) return 0;
    n = 0;
    for (size_t i = 0; i < part->size; i++) {
        uint8_t byte = part->bytes[i];
        name[n++] = (char)(byte < 0x80 ? byte : (byte & 3) << 6 | (part->bytes[++i] & 0x3F));
    }
    name[n++] = 0;
    return (int)n;
}

int enif_inspect_binary(ErlNifEnv *env, ERL_NIF_TERM term, ErlNifBinary *binary)
{
    (void)env, asked++;
    binary->data = part_of(term)->bytes;
    binary->size = part_of(term)->size;
    return part_of(term)->type == ERL_NIF_TERM_TYPE_BITSTRING;
}

int enif_is_empty_list(ErlNifEnv *env, ERL_NIF_TERM term)
{
    (void)env, asked++;
    return term == nil_list;
}

int enif_get_list_cell(ErlNifEnv *env, ERL_NIF_TERM term, ERL_NIF_TERM *item, ERL_NIF_TERM *rest)
{
    const part_t *part = part_of(term);
    (void)env, asked++;
    if (part->type != ERL_NIF_TERM_TYPE_LIST || part->items == NULL) return 0;
    *item = part->items[0];
    *rest = part->items[1];
    return 1;
}

int enif_get_tuple(ErlNifEnv *env, ERL_NIF_TERM term, int *arity, const ERL_NIF_TERM **items)
{
    (void)env, asked++;
    *arity = (int)part_of(term)->size;
    *items = part_of(term)->items;
    return part_of(term)->type == ERL_NIF_TERM_TYPE_TUPLE;
}

int enif_get_map_size(ErlNifEnv *env, ERL_NIF_TERM term, size_t *size)
{
    (void)env, asked++;
    *size = part_of(term)->size / 2;
    return part_of(term)->type == ERL_NIF_TERM_TYPE_MAP;
}

int enif_map_iterator_create(ErlNifEnv *env, ERL_NIF_TERM map, ErlNifMapIterator *at, ErlNifMapIteratorEntry entry)
{
    (void)env, (void)entry, asked++;
    at->map = map;
    at->idx = 0;
    /* An iterator that is not destroyed is a leak. */
    at->__spare__[0] = malloc(1);
    return at->__spare__[0] != NULL;
}

void enif_map_iterator_destroy(ErlNifEnv *env, ErlNifMapIterator *at)
{
    (void)env, asked++;
    free(at->__spare__[0]);
}

int enif_map_iterator_next(ErlNifEnv *env, ErlNifMapIterator *at)
{
    (void)env, asked++;
    at->idx++;
    return 2 * at->idx < part_of(at->map)->size;
}

int enif_map_iterator_get_pair(ErlNifEnv *env, ErlNifMapIterator *at, ERL_NIF_TERM *key, ERL_NIF_TERM *value)
{
    const part_t *part = part_of(at->map);
    (void)env, asked++;
    if (2 * at->idx >= part->size) return 0;
    *key = part->items[2 * at->idx];
    *value = part->items[2 * at->idx + 1];
    return 1;
}

#endif
