/*
 * Messages that callers have sent and a client has not taken yet, in one buffer: see aldis_front_nif. Whoever holds the lock copies
 * one message, or takes the buffer away, so nobody waits for long.
 */
#include <erl_nif.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A longer message is given to the client itself. */
#define LONGEST 65536
#define LEAST_ROOM 4096

typedef enum { OPEN, CLOSED, GONE } state_t;

typedef struct {
    ErlNifMutex *mutex;
    ErlNifMonitor monitor;
    state_t state;
    ErlNifBinary entries; /* data: NULL where there are none */
    size_t used;
    size_t last_used; /* of the buffer that was taken last */
    ErlNifUInt64 count;
    ErlNifUInt64 next; /* the number of the next message */
    /* The client's own messages and bytes, and how much both may be together. */
    ErlNifUInt64 held, held_bytes, most, most_bytes;
    /* So much is a batch, which the client is told of. */
    ErlNifUInt64 full, full_bytes;
    ErlNifUInt64 longest;
    bool told_first, told_full;
} front_t;

static ErlNifResourceType *front_type;
static ERL_NIF_TERM atom_ok, atom_true, atom_none, atom_ask, atom_gone, atom_first, atom_full;

static void emptied(front_t *front)
{
    if (front->entries.data != NULL) enif_release_binary(&front->entries);
    front->entries.data = NULL;
    front->used = 0;
    front->count = 0;
}

static void destroy(ErlNifEnv *env, void *resource)
{
    front_t *front = resource;
    (void)env;
    emptied(front);
    if (front->mutex != NULL) enif_mutex_destroy(front->mutex);
}

static void client_down(ErlNifEnv *env, void *resource, ErlNifPid *pid, ErlNifMonitor *monitor)
{
    front_t *front = resource;
    (void)env, (void)pid, (void)monitor;
    enif_mutex_lock(front->mutex);
    front->state = GONE;
    emptied(front);
    enif_mutex_unlock(front->mutex);
}

/* new(Most, MostBytes, Full, FullBytes): of the calling process, which is the client. */
static ERL_NIF_TERM new_front(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    front_t init = {.state = OPEN, .next = 1};
    ErlNifPid self;
    (void)argc;
    if (!enif_get_uint64(env, argv[0], &init.most) || !enif_get_uint64(env, argv[1], &init.most_bytes) ||
        !enif_get_uint64(env, argv[2], &init.full) || !enif_get_uint64(env, argv[3], &init.full_bytes))
        return enif_make_badarg(env);
    front_t *front = enif_alloc_resource(front_type, sizeof *front);
    *front = init;
    front->mutex = enif_mutex_create("aldis_front");
    if (front->mutex == NULL || enif_monitor_process(env, front, enif_self(env, &self), &front->monitor) != 0) {
        enif_release_resource(front);
        return atom_none;
    }
    ERL_NIF_TERM term = enif_make_resource(env, front);
    enif_release_resource(front);
    return term;
}

/* Whether there is room for so many bytes more. */
static bool roomy(front_t *front, size_t more)
{
    size_t wanted = front->used + more;
    if (front->entries.data == NULL) {
        size_t room = front->last_used > LEAST_ROOM ? front->last_used : LEAST_ROOM;
        return enif_alloc_binary(room > wanted ? room : wanted, &front->entries);
    }
    if (wanted <= front->entries.size) return true;
    size_t twice = 2 * front->entries.size;
    return enif_realloc_binary(&front->entries, twice > wanted ? twice : wanted);
}

static bool takes(const front_t *front, size_t size)
{
    return front->state == OPEN && size <= front->longest && front->held + front->count + 1 <= front->most &&
        front->held_bytes + front->used + 4 + size <= front->most_bytes;
}

static void put(front_t *front, const ErlNifBinary *message)
{
    unsigned char *at = front->entries.data + front->used;
    const uint32_t size = (uint32_t)message->size;
    for (int i = 0; i < 4; ++i) at[i] = (unsigned char)(size >> (8 * i));
    if (size > 0) memcpy(at + 4, message->data, size);
    front->used += 4 + (size_t)size;
    ++front->count;
}

/* What the client has to be told, each once until it takes all. */
static ERL_NIF_TERM news(front_t *front)
{
    if (!front->told_full && (front->count >= front->full || front->used >= front->full_bytes)) {
        front->told_full = front->told_first = true;
        return atom_full;
    }
    if (front->told_first) return atom_none;
    front->told_first = true;
    return atom_first;
}

/* append(Front, Message): its number, or {Number, News}, or ask, or gone */
static ERL_NIF_TERM append(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    void *resource;
    ErlNifBinary message;
    (void)argc;
    if (!enif_get_resource(env, argv[0], front_type, &resource) || !enif_inspect_binary(env, argv[1], &message)) return enif_make_badarg(env);
    front_t *front = resource;
    enif_mutex_lock(front->mutex);
    const bool gone = front->state == GONE;
    if (!takes(front, message.size) || !roomy(front, 4 + message.size)) {
        enif_mutex_unlock(front->mutex);
        return gone ? atom_gone : atom_ask;
    }
    put(front, &message);
    const ErlNifUInt64 number = front->next++;
    const ERL_NIF_TERM told = news(front);
    enif_mutex_unlock(front->mutex);
    ERL_NIF_TERM term = enif_make_uint64(env, number);
    return told == atom_none ? term : enif_make_tuple2(env, term, told);
}

/* take(Front, More): {Count, Entries} or none; `More' messages that the client has come next. */
static ERL_NIF_TERM take(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    void *resource;
    ErlNifUInt64 more;
    (void)argc;
    if (!enif_get_resource(env, argv[0], front_type, &resource) || !enif_get_uint64(env, argv[1], &more)) return enif_make_badarg(env);
    front_t *front = resource;
    enif_mutex_lock(front->mutex);
    ErlNifBinary entries = front->entries;
    const ErlNifUInt64 count = front->count;
    const size_t used = front->used;
    front->held += count;
    front->held_bytes += used;
    front->next += more;
    front->told_first = front->told_full = false;
    if (count > 0) {
        front->last_used = used;
        front->entries.data = NULL;
        front->used = 0;
        front->count = 0;
    }
    enif_mutex_unlock(front->mutex);
    if (count == 0) return atom_none;
    ERL_NIF_TERM all = enif_make_binary(env, &entries);
    return enif_make_tuple2(env, enif_make_uint64(env, count), enif_make_sub_binary(env, all, 0, used));
}

/* set(Front, Held, HeldBytes, Longest) */
static ERL_NIF_TERM set(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    void *resource;
    ErlNifUInt64 held, bytes, longest;
    (void)argc;
    if (!enif_get_resource(env, argv[0], front_type, &resource) || !enif_get_uint64(env, argv[1], &held) ||
        !enif_get_uint64(env, argv[2], &bytes) || !enif_get_uint64(env, argv[3], &longest))
        return enif_make_badarg(env);
    front_t *front = resource;
    enif_mutex_lock(front->mutex);
    front->held = held;
    front->held_bytes = bytes;
    front->longest = longest < LONGEST ? longest : LONGEST;
    enif_mutex_unlock(front->mutex);
    return atom_ok;
}

/* close(Front) */
static ERL_NIF_TERM close_front(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    void *resource;
    (void)argc;
    if (!enif_get_resource(env, argv[0], front_type, &resource)) return enif_make_badarg(env);
    front_t *front = resource;
    enif_mutex_lock(front->mutex);
    if (front->state == OPEN) front->state = CLOSED;
    enif_mutex_unlock(front->mutex);
    return atom_ok;
}

static ERL_NIF_TERM loaded(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    (void)env, (void)argc, (void)argv;
    return atom_true;
}

static int load(ErlNifEnv *env, void **private_data, ERL_NIF_TERM info)
{
    ErlNifResourceTypeInit callbacks = {.dtor = destroy, .stop = NULL, .down = client_down};
    (void)private_data, (void)info;
    atom_ok = enif_make_atom(env, "ok");
    atom_true = enif_make_atom(env, "true");
    atom_none = enif_make_atom(env, "none");
    atom_ask = enif_make_atom(env, "ask");
    atom_gone = enif_make_atom(env, "gone");
    atom_first = enif_make_atom(env, "first");
    atom_full = enif_make_atom(env, "full");
    front_type = enif_open_resource_type_x(env, "aldis_front", &callbacks, ERL_NIF_RT_CREATE | ERL_NIF_RT_TAKEOVER, NULL);
    return front_type == NULL;
}

static int upgrade(ErlNifEnv *env, void **private_data, void **old_private_data, ERL_NIF_TERM info)
{
    (void)old_private_data;
    return load(env, private_data, info);
}

static ErlNifFunc functions[] = {{"new", 4, new_front, 0}, {"append", 2, append, 0}, {"take", 2, take, 0}, {"set", 4, set, 0},
    {"close", 1, close_front, 0}, {"loaded", 0, loaded, 0}};

ERL_NIF_INIT(aldis_front_nif, functions, load, NULL, upgrade, NULL)
