/*
 * accepts/2 and is_plain/2 of aldis_etf_nif: the scan of scan.h, which leaves the scheduler after each run and goes on later.
 * encode/2: the walk of write.h.
 */
#include <erl_nif.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "scan.h"
#include "write.h"

/* The part of a scheduler's time slice of a millisecond that runs take, in percent; for small frames it is not worth reporting. */
#define RUN 30
#define LAST_RUN 10
#define SMALL 10000
/* The same of a walk over a term, by its parts. */
#define SMALL_WALK 1000
#define PARTS_A_PERCENT 800

static ERL_NIF_TERM atom_true, atom_false, atom_large, atom_bytes, atom_struct;

static ERL_NIF_TERM resume(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);

/* A run of the scan, and the next one if it is not the last. */
static ERL_NIF_TERM run(ErlNifEnv *env, ERL_NIF_TERM frame, const ErlNifBinary *bytes, scan_t *s)
{
    size_t start = s->at;
    verdict_t verdict = scan_run(s, bytes->data, bytes->size);
    if (verdict != GO_ON) {
        if (bytes->size - start > SMALL) (void)enif_consume_timeslice(env, LAST_RUN);
        return verdict == ACCEPTED ? atom_true : atom_false;
    }
    (void)enif_consume_timeslice(env, RUN);
    ERL_NIF_TERM args[2] = {frame, 0};
    unsigned char *copy = enif_make_new_binary(env, sizeof *s, &args[1]);
    if (copy == NULL) return atom_false;
    memcpy(copy, s, sizeof *s);
    return enif_schedule_nif(env, "accepts", 0, resume, 2, args);
}

static ERL_NIF_TERM resume(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    ErlNifBinary frame, state;
    scan_t s;
    (void)argc;
    if (!enif_inspect_binary(env, argv[0], &frame) || !enif_inspect_binary(env, argv[1], &state)) return atom_false;
    if (state.size != sizeof s) return atom_false;
    memcpy(&s, state.data, sizeof s);
    return run(env, argv[0], &frame, &s);
}

/* accepts(Frame, {limits, Bytes, Depth, Nodes, IntegerBytes, Utf8, _}) */
static ERL_NIF_TERM accepts(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    ErlNifBinary frame;
    ErlNifUInt64 bytes, depth, nodes, digits;
    const ERL_NIF_TERM *limits;
    int arity;
    scan_t s;
    (void)argc;
    /* Limits beyond 64 bits are as good as none, but not for this function. */
    if (!enif_inspect_binary(env, argv[0], &frame) || !enif_get_tuple(env, argv[1], &arity, &limits) || arity != 7 ||
        !enif_get_uint64(env, limits[1], &bytes) || !enif_get_uint64(env, limits[2], &depth) ||
        !enif_get_uint64(env, limits[3], &nodes) || !enif_get_uint64(env, limits[4], &digits))
        return atom_false;
    if (frame.size > bytes || frame.size == 0 || frame.data[0] != 131) return atom_false;
    scan_start(&s, frame.size, depth, nodes, digits, enif_is_identical(limits[5], atom_true));
    return run(env, argv[0], &frame, &s);
}

/* is_plain(Frame, Utf8) */
static ERL_NIF_TERM is_plain(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    ErlNifBinary frame;
    scan_t s;
    (void)argc;
    if (!enif_inspect_binary(env, argv[0], &frame) || frame.size == 0 || frame.data[0] != 131) return atom_false;
    scan_start_own(&s, frame.size, enif_is_identical(argv[1], atom_true));
    return run(env, argv[0], &frame, &s);
}

/* encode(Term, Utf8) */
static ERL_NIF_TERM encode(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    writer_t w;
    (void)argc;
    writer_start(&w, env, enif_is_identical(argv[1], atom_true), atom_struct, atom_bytes);
    written_t written = write_term(&w, argv[0]);
    int used = MOST_PARTS - w.parts;
    if (used > SMALL_WALK) (void)enif_consume_timeslice(env, used / PARTS_A_PERCENT);
    switch (written) {
    case WRITTEN: return writer_frame(&w);
    case NOT_PLAIN: return atom_false;
    default: return atom_large;
    }
}

static int load(ErlNifEnv *env, void **private_data, ERL_NIF_TERM info)
{
    (void)private_data, (void)info;
    atom_true = enif_make_atom(env, "true");
    atom_false = enif_make_atom(env, "false");
    atom_large = enif_make_atom(env, "large");
    atom_bytes = enif_make_atom(env, "bytes");
    atom_struct = enif_make_atom(env, "__struct__");
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
    {"accepts", 2, accepts, 0}, {"encode", 2, encode, 0}, {"is_plain", 2, is_plain, 0}, {"loaded", 0, loaded, 0}};

ERL_NIF_INIT(aldis_etf_nif, functions, load, NULL, upgrade, NULL)
