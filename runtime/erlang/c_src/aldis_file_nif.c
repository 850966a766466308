/*
 * A file that is appended to: see aldis_file_nif. Small writes go through the system's cache, as any do; large ones may go past it
 * (O_DIRECT), in whole blocks, of which the last one is written again, with what was in it, by the next write. Zeros that fill it are
 * cut off when the file is closed or truncated.
 */
#define _GNU_SOURCE
#include <erl_nif.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes that blocks of disks and file systems divide, and those that are gathered for a write past the cache. */
#define BLOCK 4096
#define ROOM (256 * BLOCK)
#define PIECES 64

typedef struct {
    ErlNifMutex *mutex;
    int fd;     /* -1: closed */
    int direct; /* the same file, past the cache; -1 where that cannot be */
    off_t at;   /* the end of what was written */
    bool padded; /* there are bytes behind it that nobody asked for */
    /* The bytes of the block at the end, when they are known. */
    bool tail_known;
    unsigned char tail[BLOCK];
    unsigned char *room; /* NULL until it is needed */
    size_t used;         /* of `room', while a write goes on */
} opened_t;

static ErlNifResourceType *opened_type;
static ERL_NIF_TERM atom_ok, atom_error, atom_true, atom_false;

static const struct {
    int code;
    const char *name;
} names[] = {{EACCES, "eacces"}, {EPERM, "eperm"}, {EEXIST, "eexist"}, {ENOENT, "enoent"}, {ENOTDIR, "enotdir"}, {EISDIR, "eisdir"},
    {EROFS, "erofs"}, {EMFILE, "emfile"}, {ENFILE, "enfile"}, {ENOSPC, "enospc"}, {EDQUOT, "edquot"}, {EFBIG, "efbig"}, {EINVAL, "einval"},
    {ENOMEM, "enomem"}, {ESTALE, "estale"}, {EBADF, "ebadf"}, {ENAMETOOLONG, "enametoolong"}, {ELOOP, "eloop"}};

static ERL_NIF_TERM result(ErlNifEnv *env, int code)
{
    if (code == 0) return atom_ok;
    const char *name = "eio";
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (names[i].code == code) name = names[i].name;
    return enif_make_tuple2(env, atom_error, enif_make_atom(env, name));
}

/* Cuts off what nobody asked for, so that whoever opens the file finds what was written and nothing else. */
static int close_file(opened_t *file)
{
    int code = 0;
    if (file->fd < 0) return EBADF;
    if (file->padded && (ftruncate(file->fd, file->at) != 0 || fdatasync(file->fd) != 0)) code = errno;
    if (file->direct >= 0) (void)close(file->direct);
    if (close(file->fd) != 0 && code == 0) code = errno;
    file->fd = file->direct = -1;
    free(file->room);
    file->room = NULL;
    return code;
}

static void destroy(ErlNifEnv *env, void *resource)
{
    opened_t *file = resource;
    (void)env;
    (void)close_file(file);
    if (file->mutex != NULL) enif_mutex_destroy(file->mutex);
}

static int open_past(const char *path)
{
#ifdef O_DIRECT
    return open(path, O_WRONLY | O_DIRECT | O_CLOEXEC);
#else
    (void)path;
    return -1;
#endif
}

/* open(Path, New): Path ends in a zero byte; a file that is New must not be there yet, another one must. */
static ERL_NIF_TERM open_file(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    ErlNifBinary path;
    (void)argc;
    if (!enif_inspect_binary(env, argv[0], &path) || path.size == 0 || memchr(path.data, 0, path.size) != path.data + path.size - 1 ||
        (argv[1] != atom_true && argv[1] != atom_false))
        return enif_make_badarg(env);
    const char *name = (const char *)path.data;
    int fd = open(name, O_RDWR | O_CLOEXEC | (argv[1] == atom_true ? O_CREAT | O_EXCL : 0), 0666);
    if (fd < 0) return result(env, errno);
    opened_t *file = enif_alloc_resource(opened_type, sizeof *file);
    memset(file, 0, sizeof *file);
    file->fd = fd;
    file->direct = open_past(name);
    file->tail_known = true;
    file->mutex = enif_mutex_create("aldis_file");
    if (file->mutex == NULL) {
        enif_release_resource(file);
        return result(env, ENOMEM);
    }
    ERL_NIF_TERM term = enif_make_resource(env, file);
    enif_release_resource(file);
    return enif_make_tuple2(env, atom_ok, term);
}

static bool get_file(ErlNifEnv *env, ERL_NIF_TERM term, opened_t **file)
{
    void *resource;
    if (!enif_get_resource(env, term, opened_type, &resource)) return false;
    *file = resource;
    enif_mutex_lock((*file)->mutex);
    return true;
}

static ERL_NIF_TERM done(ErlNifEnv *env, opened_t *file, int code)
{
    enif_mutex_unlock(file->mutex);
    return result(env, code);
}

/* All bytes at a place; 0, or what went wrong. */
static int written(int fd, const unsigned char *bytes, size_t size, off_t at, size_t unit)
{
    while (size > 0) {
        ssize_t some = pwrite(fd, bytes, size, at);
        if (some < 0 && errno == EINTR) continue;
        if (some < 0) return errno;
        /* Past the cache only whole blocks can follow. */
        some -= some % (ssize_t)unit;
        if (some == 0) return ENOSPC;
        bytes += some;
        size -= (size_t)some;
        at += some;
    }
    return 0;
}

/* Keeps what is in the last block after so many bytes more. */
static void remember(opened_t *file, const unsigned char *bytes, size_t size)
{
    const size_t before = (size_t)(file->at % BLOCK);
    if (before + size < BLOCK) {
        memcpy(file->tail + before, bytes, size);
    } else {
        const size_t after = (before + size) % BLOCK;
        memcpy(file->tail, bytes + size - after, after);
        file->tail_known = true;
    }
    file->at += (off_t)size;
}

/* The bytes of the last block, read where they are not known. */
static int tail_read(opened_t *file)
{
    size_t size = (size_t)(file->at % BLOCK), got = 0;
    while (!file->tail_known && got < size) {
        ssize_t some = pread(file->fd, file->tail + got, size - got, file->at - (off_t)(size - got));
        if (some < 0 && errno == EINTR) continue;
        if (some <= 0) return some < 0 ? errno : EIO;
        got += (size_t)some;
    }
    file->tail_known = true;
    return 0;
}

/* Through the cache. */
static int put(opened_t *file, const unsigned char *bytes, size_t size)
{
    int code = written(file->fd, bytes, size, file->at, 1);
    if (code == 0) remember(file, bytes, size);
    return code;
}

/* Writes the room, which begins where `at' is, rounded down to a block. Behind what is used there are zeros. */
static int flush(opened_t *file)
{
    const size_t before = (size_t)(file->at % BLOCK), size = file->used - before;
    const size_t whole = (file->used + BLOCK - 1) / BLOCK * BLOCK;
    memset(file->room + file->used, 0, whole - file->used);
    int code = written(file->direct, file->room, whole, file->at - (off_t)before, BLOCK);
    if (code != 0) return code;
    remember(file, file->room + before, size);
    file->padded = file->used % BLOCK != 0;
    file->used = 0;
    return 0;
}

static int put_past(opened_t *file, const unsigned char *bytes, size_t size)
{
    while (size > 0) {
        const size_t some = size < ROOM - file->used ? size : ROOM - file->used;
        memcpy(file->room + file->used, bytes, some);
        file->used += some;
        bytes += some;
        size -= some;
        if (file->used == ROOM) {
            int code = flush(file);
            if (code != 0) return code;
        }
    }
    return 0;
}

/* Whether a write may go past the cache, which then begins with the block that is begun. */
static bool begin_past(opened_t *file)
{
    void *room = NULL;
    if (file->direct < 0 || tail_read(file) != 0) return false;
    if (file->room == NULL && posix_memalign(&room, BLOCK, ROOM) == 0) file->room = room;
    if (file->room == NULL) return false;
    file->used = (size_t)(file->at % BLOCK);
    memcpy(file->room, file->tail, file->used);
    return true;
}

static int put_all(ErlNifEnv *env, opened_t *file, ERL_NIF_TERM pieces, int (*one)(opened_t *, const unsigned char *, size_t))
{
    while (!enif_is_empty_list(env, pieces)) {
        ErlNifIOVec vector, *given = &vector;
        if (!enif_inspect_iovec(env, PIECES, pieces, &pieces, &given)) return EINVAL;
        for (int i = 0; i < given->iovcnt; ++i) {
            int code = one(file, (const unsigned char *)given->iov[i].iov_base, given->iov[i].iov_len);
            if (code != 0) return code;
        }
    }
    return 0;
}

/* write(File, Binaries, Past): behind what was written before. */
static ERL_NIF_TERM write_file(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    opened_t *file;
    (void)argc;
    if (!get_file(env, argv[0], &file)) return enif_make_badarg(env);
    if (file->fd < 0) return done(env, file, EBADF);
    const off_t at = file->at;
    if (argv[2] == atom_true && begin_past(file)) {
        int code = put_all(env, file, argv[1], put_past);
        if (code == 0 && file->used > (size_t)(file->at % BLOCK)) code = flush(file);
        if (code == 0) return done(env, file, 0);
        file->padded = true;
        /* This file system does not do that; what may be there is written again. */
        if (code != EINVAL) return done(env, file, code);
        (void)close(file->direct);
        file->direct = -1;
        file->at = at;
        file->tail_known = false;
    }
    return done(env, file, put_all(env, file, argv[1], put));
}

/* datasync(File) */
static ERL_NIF_TERM datasync_file(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    opened_t *file;
    (void)argc;
    if (!get_file(env, argv[0], &file)) return enif_make_badarg(env);
    return done(env, file, file->fd < 0 ? EBADF : fdatasync(file->fd) != 0 ? errno : 0);
}

/* position(File, At): what is written next begins there. */
static ERL_NIF_TERM position_file(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    opened_t *file;
    ErlNifUInt64 at;
    (void)argc;
    if (!enif_get_uint64(env, argv[1], &at) || at > INT64_MAX || !get_file(env, argv[0], &file)) return enif_make_badarg(env);
    if (file->fd < 0) return done(env, file, EBADF);
    if ((off_t)at != file->at) file->tail_known = at % BLOCK == 0;
    file->at = (off_t)at;
    return done(env, file, 0);
}

/* truncate(File): it ends where the next write begins. */
static ERL_NIF_TERM truncate_file(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    opened_t *file;
    (void)argc;
    if (!get_file(env, argv[0], &file)) return enif_make_badarg(env);
    if (file->fd < 0) return done(env, file, EBADF);
    if (ftruncate(file->fd, file->at) != 0) return done(env, file, errno);
    file->padded = false;
    return done(env, file, 0);
}

/* close(File) */
static ERL_NIF_TERM close_opened(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    opened_t *file;
    (void)argc;
    if (!get_file(env, argv[0], &file)) return enif_make_badarg(env);
    return done(env, file, close_file(file));
}

static ERL_NIF_TERM loaded(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    (void)env, (void)argc, (void)argv;
    return atom_true;
}

static int load(ErlNifEnv *env, void **private_data, ERL_NIF_TERM info)
{
    ErlNifResourceTypeInit callbacks = {.dtor = destroy, .stop = NULL, .down = NULL};
    (void)private_data, (void)info;
    atom_ok = enif_make_atom(env, "ok");
    atom_error = enif_make_atom(env, "error");
    atom_true = enif_make_atom(env, "true");
    atom_false = enif_make_atom(env, "false");
    opened_type = enif_open_resource_type_x(env, "aldis_file", &callbacks, ERL_NIF_RT_CREATE | ERL_NIF_RT_TAKEOVER, NULL);
    return opened_type == NULL;
}

static int upgrade(ErlNifEnv *env, void **private_data, void **old_private_data, ERL_NIF_TERM info)
{
    (void)old_private_data;
    return load(env, private_data, info);
}

static ErlNifFunc functions[] = {{"open", 2, open_file, ERL_NIF_DIRTY_JOB_IO_BOUND}, {"write", 3, write_file, ERL_NIF_DIRTY_JOB_IO_BOUND},
    {"datasync", 1, datasync_file, ERL_NIF_DIRTY_JOB_IO_BOUND}, {"position", 2, position_file, ERL_NIF_DIRTY_JOB_IO_BOUND},
    {"truncate", 1, truncate_file, ERL_NIF_DIRTY_JOB_IO_BOUND}, {"close", 1, close_opened, ERL_NIF_DIRTY_JOB_IO_BOUND}, {"loaded", 0, loaded, 0}};

ERL_NIF_INIT(aldis_file_nif, functions, load, NULL, upgrade, NULL)
