/*
 * As much of the VM's interface as native functions with resources ask (c_src/aldis_front_nif.c, c_src/aldis_file_nif.c), outside of the VM:
 * terms, binaries, resources with their destructors, and locks that know whether they are held. Every binary is memory of its own and exact
 * size. Terms live until forget(), resources until they are released.
 */
#ifndef ALDIS_FAKE_CALLS_H
#define ALDIS_FAKE_CALLS_H

#include <erl_nif.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(condition)                                                       \
    do {                                                                      \
        if (!(condition)) {                                                   \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);   \
            abort();                                                          \
        }                                                                     \
    } while (0)

typedef enum { ATOM, NUMBER, BYTES, LIST, TUPLE, RESOURCE, BADARG } kind_t;

typedef struct part {
    struct part *before;
    kind_t kind;
    uint64_t number;
    char name[32];
    unsigned char *bytes; /* whose owner is `whole', or this part */
    size_t size;
    bool is_part;
    ERL_NIF_TERM items[2];
    void *resource;
} part_t;

struct enif_resource_type_t {
    ErlNifResourceTypeInit calls;
};
typedef struct {
    int users;
    struct enif_resource_type_t *type;
} head_t;
struct ErlDrvMutex_ {
    bool held;
};

static part_t *parts;
static int resources, mutexes;
static ErlNifMonitor watched;
static bool is_watched;

static part_t *part_of(ERL_NIF_TERM term) { return (part_t *)term; }

static part_t *new_part(kind_t kind)
{
    part_t *part = calloc(1, sizeof *part);
    MUST(part != NULL);
    part->kind = kind;
    part->before = parts;
    return parts = part;
}

static void forget(void)
{
    for (part_t *part = parts, *before; part != NULL; part = before) {
        before = part->before;
        if (!part->is_part) free(part->bytes);
        free(part);
    }
    parts = NULL;
}

static ERL_NIF_TERM number(uint64_t value)
{
    part_t *part = new_part(NUMBER);
    part->number = value;
    return (ERL_NIF_TERM)part;
}

static ERL_NIF_TERM bytes(const void *from, size_t size)
{
    part_t *part = new_part(BYTES);
    part->size = size;
    part->bytes = malloc(size);
    MUST(part->bytes != NULL || size == 0);
    if (size > 0) memcpy(part->bytes, from, size);
    return (ERL_NIF_TERM)part;
}

static inline ERL_NIF_TERM list(ERL_NIF_TERM first, ERL_NIF_TERM rest)
{
    part_t *part = new_part(LIST);
    part->items[0] = first;
    part->items[1] = rest;
    return (ERL_NIF_TERM)part;
}

/* The interface. Atoms are never forgotten, and those of one name are the same. */

ERL_NIF_TERM enif_make_atom(ErlNifEnv *env, const char *name)
{
    static part_t atoms[64];
    size_t i = 0;
    (void)env;
    while (i < 64 && atoms[i].name[0] != 0 && strcmp(atoms[i].name, name) != 0) ++i;
    MUST(i < 64 && strlen(name) < sizeof atoms[i].name);
    strcpy(atoms[i].name, name);
    return (ERL_NIF_TERM)&atoms[i];
}

ERL_NIF_TERM enif_make_badarg(ErlNifEnv *env)
{
    (void)env;
    return (ERL_NIF_TERM)new_part(BADARG);
}

ERL_NIF_TERM enif_make_uint64(ErlNifEnv *env, ErlNifUInt64 value)
{
    (void)env;
    return number(value);
}

int enif_get_uint64(ErlNifEnv *env, ERL_NIF_TERM term, ErlNifUInt64 *value)
{
    (void)env;
    *value = part_of(term)->number;
    return part_of(term)->kind == NUMBER;
}

ERL_NIF_TERM enif_make_tuple(ErlNifEnv *env, unsigned count, ...)
{
    va_list given;
    part_t *part = new_part(TUPLE);
    (void)env;
    MUST(count == 2);
    va_start(given, count);
    part->items[0] = va_arg(given, ERL_NIF_TERM);
    part->items[1] = va_arg(given, ERL_NIF_TERM);
    va_end(given);
    return (ERL_NIF_TERM)part;
}

int enif_inspect_binary(ErlNifEnv *env, ERL_NIF_TERM term, ErlNifBinary *binary)
{
    (void)env;
    binary->data = part_of(term)->bytes;
    binary->size = part_of(term)->size;
    return part_of(term)->kind == BYTES;
}

int enif_alloc_binary(size_t size, ErlNifBinary *binary)
{
    binary->data = malloc(size);
    binary->size = size;
    return binary->data != NULL;
}

int enif_realloc_binary(ErlNifBinary *binary, size_t size)
{
    binary->data = realloc(binary->data, size);
    binary->size = size;
    return binary->data != NULL;
}

void enif_release_binary(ErlNifBinary *binary) { free(binary->data); }

ERL_NIF_TERM enif_make_binary(ErlNifEnv *env, ErlNifBinary *binary)
{
    part_t *part = new_part(BYTES);
    (void)env;
    part->bytes = binary->data;
    part->size = binary->size;
    return (ERL_NIF_TERM)part;
}

ERL_NIF_TERM enif_make_sub_binary(ErlNifEnv *env, ERL_NIF_TERM whole, size_t at, size_t size)
{
    part_t *part = new_part(BYTES);
    (void)env;
    MUST(at + size <= part_of(whole)->size);
    part->bytes = part_of(whole)->bytes + at;
    part->size = size;
    part->is_part = true;
    return (ERL_NIF_TERM)part;
}

int enif_is_empty_list(ErlNifEnv *env, ERL_NIF_TERM term) { return term == enif_make_atom(env, "[]"); }

int enif_inspect_iovec(ErlNifEnv *env, size_t most, ERL_NIF_TERM from, ERL_NIF_TERM *rest, ErlNifIOVec **vector)
{
    static SysIOVec pieces[64];
    ErlNifIOVec *to = *vector;
    int count = 0;
    MUST(most <= 64);
    for (; !enif_is_empty_list(env, from) && (size_t)count < most; from = part_of(from)->items[1]) {
        if (part_of(from)->kind != LIST || part_of(part_of(from)->items[0])->kind != BYTES) return 0;
        pieces[count].iov_base = (char *)part_of(part_of(from)->items[0])->bytes;
        pieces[count++].iov_len = part_of(part_of(from)->items[0])->size;
    }
    to->iov = pieces;
    to->iovcnt = count;
    *rest = from;
    return 1;
}

ErlNifResourceType *enif_open_resource_type_x(
    ErlNifEnv *env, const char *name, const ErlNifResourceTypeInit *calls, ErlNifResourceFlags flags, ErlNifResourceFlags *tried)
{
    static struct enif_resource_type_t type;
    (void)env, (void)name, (void)flags, (void)tried;
    type.calls = *calls;
    return &type;
}

void *enif_alloc_resource(ErlNifResourceType *type, size_t size)
{
    head_t *head = malloc(sizeof *head + size);
    MUST(head != NULL);
    /* Not zeros: whoever wants these writes them. */
    memset(head + 1, 0xA5, size);
    *head = (head_t){1, type};
    ++resources;
    return head + 1;
}

void enif_release_resource(void *resource)
{
    head_t *head = (head_t *)resource - 1;
    if (--head->users > 0) return;
    head->type->calls.dtor(NULL, resource);
    free(head);
    --resources;
}

ERL_NIF_TERM enif_make_resource(ErlNifEnv *env, void *resource)
{
    part_t *part = new_part(RESOURCE);
    (void)env;
    part->resource = resource;
    ++((head_t *)resource - 1)->users;
    return (ERL_NIF_TERM)part;
}

int enif_get_resource(ErlNifEnv *env, ERL_NIF_TERM term, ErlNifResourceType *type, void **resource)
{
    (void)env, (void)type;
    *resource = part_of(term)->resource;
    return part_of(term)->kind == RESOURCE;
}

ErlNifMutex *enif_mutex_create(char *name)
{
    (void)name;
    ++mutexes;
    return calloc(1, sizeof(ErlNifMutex));
}

void enif_mutex_destroy(ErlNifMutex *mutex)
{
    MUST(!mutex->held);
    free(mutex);
    --mutexes;
}

void enif_mutex_lock(ErlNifMutex *mutex)
{
    MUST(!mutex->held);
    mutex->held = true;
}

void enif_mutex_unlock(ErlNifMutex *mutex)
{
    MUST(mutex->held);
    mutex->held = false;
}

ErlNifPid *enif_self(ErlNifEnv *env, ErlNifPid *pid)
{
    (void)env;
    memset(pid, 0, sizeof *pid);
    return pid;
}

int enif_monitor_process(ErlNifEnv *env, void *resource, const ErlNifPid *pid, ErlNifMonitor *monitor)
{
    (void)env, (void)resource, (void)pid;
    memset(monitor, 0, sizeof *monitor);
    watched = *monitor;
    is_watched = true;
    return 0;
}

#endif
