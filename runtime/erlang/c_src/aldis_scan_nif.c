/*
 * entries/3 and legacy/4 of aldis_scan_nif: the walks of walk.h, which leave the scheduler after each run and go on later.
 * crc32/2: the checksum of crc32.h, of so many bytes at most that it needs no runs.
 */
#include <erl_nif.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "crc32.h"
#include "walk.h"

/* The part of a scheduler's time slice of a millisecond that a whole run takes, in percent. */
#define RUN 30
/* Bytes whose checksum takes a percent of the slice, at 4 GB/s, and how many there may be in a call. */
#define CHECKED 40000
#define MOST_CHECKED (CHECKED * 50)

static ERL_NIF_TERM atom_true, atom_false, atom_none, atom_little, atom_big;

static ERL_NIF_TERM resume_legacy(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
static ERL_NIF_TERM resume_entries(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);

typedef ERL_NIF_TERM (*nif_t)(ErlNifEnv *, int, const ERL_NIF_TERM[]);

/* A run of the walk, charged for by its share of messages: whether it has come to its end. */
static bool run(ErlNifEnv *env, walk_t *walk, const ErlNifBinary *buffer)
{
    uint64_t before = walk->count;
    bool over = walk_run(walk, buffer->data, buffer->size);
    int percent = (int)((walk->count - before) * RUN / RUN_MESSAGES);
    if (percent > 0) (void)enif_consume_timeslice(env, percent);
    return over;
}

/* The walk goes on when other processes have had their turn. */
static ERL_NIF_TERM later(ErlNifEnv *env, const char *name, nif_t nif, ERL_NIF_TERM buffer, const walk_t *walk)
{
    ERL_NIF_TERM args[2] = {buffer, 0};
    unsigned char *copy = enif_make_new_binary(env, sizeof *walk, &args[1]);
    if (copy == NULL) return enif_raise_exception(env, enif_make_atom(env, "system_limit"));
    memcpy(copy, walk, sizeof *walk);
    return enif_schedule_nif(env, name, 0, nif, 2, args);
}

/* The arguments of a walk that goes on: its buffer and its struct. */
static bool resumed(ErlNifEnv *env, const ERL_NIF_TERM argv[], ErlNifBinary *buffer, walk_t *walk)
{
    ErlNifBinary copy;
    if (!enif_inspect_binary(env, argv[0], buffer) || !enif_inspect_binary(env, argv[1], &copy)) return false;
    if (copy.size != sizeof *walk) return false;
    memcpy(walk, copy.data, sizeof *walk);
    return true;
}

static ERL_NIF_TERM run_legacy(ErlNifEnv *env, ERL_NIF_TERM term, const ErlNifBinary *buffer, walk_t *walk)
{
    if (!run(env, walk, buffer)) return later(env, "legacy", resume_legacy, term, walk);
    return enif_make_tuple3(env, enif_make_uint64(env, walk->count),
        walk->count == 0 ? atom_none : enif_make_uint64(env, walk->last), enif_make_uint64(env, walk->at));
}

static ERL_NIF_TERM run_entries(ErlNifEnv *env, ERL_NIF_TERM term, const ErlNifBinary *buffer, walk_t *walk)
{
    if (!run(env, walk, buffer)) return later(env, "entries", resume_entries, term, walk);
    bool exact = walk->count > 0 && walk->count == walk->max_count && walk->at == buffer->size;
    return exact ? atom_true : atom_false;
}

static ERL_NIF_TERM resume_legacy(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    ErlNifBinary buffer;
    walk_t walk;
    (void)argc;
    if (!resumed(env, argv, &buffer, &walk)) return enif_make_badarg(env);
    return run_legacy(env, argv[0], &buffer, &walk);
}

static ERL_NIF_TERM resume_entries(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    ErlNifBinary buffer;
    walk_t walk;
    (void)argc;
    if (!resumed(env, argv, &buffer, &walk)) return enif_make_badarg(env);
    return run_entries(env, argv[0], &buffer, &walk);
}

/* A buffer and an offset in it. */
static bool place(ErlNifEnv *env, const ERL_NIF_TERM argv[], ErlNifBinary *buffer, ErlNifUInt64 *offset)
{
    return enif_inspect_binary(env, argv[0], buffer) && enif_get_uint64(env, argv[1], offset) && *offset <= buffer->size;
}

/* legacy(Bin, Offset, Endian, Max) */
static ERL_NIF_TERM legacy(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    ErlNifBinary buffer;
    ErlNifUInt64 offset;
    unsigned max;
    walk_t walk;
    (void)argc;
    bool little = enif_is_identical(argv[2], atom_little);
    if (!place(env, argv, &buffer, &offset) || !enif_get_uint(env, argv[3], &max) ||
        !(little || enif_is_identical(argv[2], atom_big)))
        return enif_make_badarg(env);
    legacy_start(&walk, (size_t)offset, little ? LITTLE : BIG, max);
    return run_legacy(env, argv[0], &buffer, &walk);
}

/* entries(Bin, Offset, Count) */
static ERL_NIF_TERM entries(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    ErlNifBinary buffer;
    ErlNifUInt64 offset;
    unsigned count;
    walk_t walk;
    (void)argc;
    if (!place(env, argv, &buffer, &offset) || !enif_get_uint(env, argv[2], &count)) return enif_make_badarg(env);
    entries_start(&walk, (size_t)offset, count);
    return run_entries(env, argv[0], &buffer, &walk);
}

/* crc32(Before, Bin): false where the processor is of no help. */
static ERL_NIF_TERM crc32(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    ErlNifBinary bytes;
    unsigned before;
    (void)argc;
    if (!enif_get_uint(env, argv[0], &before) || !enif_inspect_binary(env, argv[1], &bytes) || bytes.size > MOST_CHECKED)
        return enif_make_badarg(env);
    if (!crc32_fast()) return atom_false;
    if (bytes.size > CHECKED) (void)enif_consume_timeslice(env, (int)(bytes.size / CHECKED));
    return enif_make_uint(env, crc32_update(before, bytes.data, bytes.size));
}

static int load(ErlNifEnv *env, void **private_data, ERL_NIF_TERM info)
{
    (void)private_data, (void)info;
    atom_true = enif_make_atom(env, "true");
    atom_false = enif_make_atom(env, "false");
    atom_none = enif_make_atom(env, "none");
    atom_little = enif_make_atom(env, "little");
    atom_big = enif_make_atom(env, "big");
    crc32_start();
    return 0;
}

static int upgrade(ErlNifEnv *env, void **private_data, void **old_private_data, ERL_NIF_TERM info)
{
    (void)old_private_data;
    return load(env, private_data, info);
}

static ERL_NIF_TERM loaded(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    (void)env, (void)argc, (void)argv;
    return atom_true;
}

static ErlNifFunc functions[] = {
    {"crc32", 2, crc32, 0}, {"entries", 3, entries, 0}, {"legacy", 4, legacy, 0}, {"loaded", 0, loaded, 0}};

ERL_NIF_INIT(aldis_scan_nif, functions, load, NULL, upgrade, NULL)
