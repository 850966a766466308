/*
 * lock/1 and unlock/1 of aldis_lock_nif: a lock on a file that the kernel keeps for whoever opens the same file, in any network
 * namespace, and that ends with the process that took it, however that ends.
 */
#define _GNU_SOURCE
#include <erl_nif.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    int fd; /* -1: let go */
    ErlNifMutex *mutex;
    ErlNifMonitor monitor;
} held_t;

static ErlNifResourceType *held_type;
static ERL_NIF_TERM atom_ok, atom_error, atom_true;

static void let_go(held_t *held)
{
    enif_mutex_lock(held->mutex);
    int fd = held->fd;
    held->fd = -1;
    enif_mutex_unlock(held->mutex);
    if (fd >= 0) (void)close(fd);
}

static void destroy(ErlNifEnv *env, void *resource)
{
    held_t *held = resource;
    (void)env;
    if (held->mutex == NULL) return;
    let_go(held);
    enif_mutex_destroy(held->mutex);
}

static void owner_down(ErlNifEnv *env, void *resource, ErlNifPid *pid, ErlNifMonitor *monitor)
{
    (void)env, (void)pid, (void)monitor;
    let_go(resource);
}

static ERL_NIF_TERM failed(ErlNifEnv *env, int code)
{
    const char *name = code == EWOULDBLOCK ? "locked" : code == EACCES || code == EPERM ? "eacces"
        : code == EROFS ? "erofs" : code == ENOLCK || code == EOPNOTSUPP || code == ENOSYS ? "enotsup"
        : code == EMFILE || code == ENFILE ? "emfile" : code == ENOSPC ? "enospc" : "eio";
    return enif_make_tuple2(env, atom_error, enif_make_atom(env, name));
}

/* The file, opened and locked; or -1 and errno. */
static int locked_file(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) return -1;
    int result;
    do result = flock(fd, LOCK_EX | LOCK_NB);
    while (result != 0 && errno == EINTR);
    if (result == 0) return fd;
    int code = errno;
    (void)close(fd);
    errno = code;
    return -1;
}

/* lock(Path): Path ends in a zero byte. */
static ERL_NIF_TERM lock(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    ErlNifBinary path;
    ErlNifPid self;
    (void)argc;
    if (!enif_inspect_binary(env, argv[0], &path) || path.size == 0 || memchr(path.data, 0, path.size) != path.data + path.size - 1)
        return enif_make_badarg(env);
    int fd = locked_file((const char *)path.data);
    if (fd < 0) return failed(env, errno);
    held_t *held = enif_alloc_resource(held_type, sizeof *held);
    held->fd = fd;
    held->mutex = enif_mutex_create("aldis_lock");
    if (held->mutex == NULL || enif_monitor_process(env, held, enif_self(env, &self), &held->monitor) != 0) {
        if (held->mutex == NULL) (void)close(fd);
        enif_release_resource(held);
        return failed(env, EMFILE);
    }
    ERL_NIF_TERM term = enif_make_resource(env, held);
    enif_release_resource(held);
    return enif_make_tuple2(env, atom_ok, term);
}

/* unlock(Held) */
static ERL_NIF_TERM unlock(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    void *held;
    (void)argc;
    if (!enif_get_resource(env, argv[0], held_type, &held)) return enif_make_badarg(env);
    let_go(held);
    return atom_ok;
}

static ERL_NIF_TERM loaded(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    (void)env, (void)argc, (void)argv;
    return atom_true;
}

static int load(ErlNifEnv *env, void **private_data, ERL_NIF_TERM info)
{
    ErlNifResourceTypeInit callbacks = {.dtor = destroy, .stop = NULL, .down = owner_down};
    (void)private_data, (void)info;
    atom_ok = enif_make_atom(env, "ok");
    atom_error = enif_make_atom(env, "error");
    atom_true = enif_make_atom(env, "true");
    held_type = enif_open_resource_type_x(env, "aldis_lock", &callbacks, ERL_NIF_RT_CREATE | ERL_NIF_RT_TAKEOVER, NULL);
    return held_type == NULL;
}

static int upgrade(ErlNifEnv *env, void **private_data, void **old_private_data, ERL_NIF_TERM info)
{
    (void)old_private_data;
    return load(env, private_data, info);
}

static ErlNifFunc functions[] = {{"lock", 1, lock, ERL_NIF_DIRTY_JOB_IO_BOUND},
    {"unlock", 1, unlock, ERL_NIF_DIRTY_JOB_IO_BOUND}, {"loaded", 0, loaded, 0}};

ERL_NIF_INIT(aldis_lock_nif, functions, load, NULL, upgrade, NULL)
