/*
 * c_src/aldis_file_nif.c outside of the VM, for a build with sanitizers: random writes, both ways, in pieces of all sizes, against what a file
 * of the model has. Each byte of standard input is a step; says how many steps there were and how many bytes were written. The argument is the
 * file.
 */
#define _GNU_SOURCE
#include "fake_calls.h"

#include "aldis_file_nif.c"

static unsigned char *model;
static size_t size;
static void *file;
static const char *path;
static uint64_t random_state = 88172645463325252u, steps, total;

static uint64_t any(uint64_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % below;
}

static ERL_NIF_TERM this_file(void)
{
    part_t *part = new_part(RESOURCE);
    part->resource = file;
    return (ERL_NIF_TERM)part;
}

static void begin(bool new)
{
    ERL_NIF_TERM given[] = {bytes(path, strlen(path) + 1), new ? atom_true : atom_false};
    ERL_NIF_TERM made = open_file(NULL, 2, given);
    MUST(part_of(made)->kind == TUPLE && part_of(made)->items[0] == atom_ok);
    /* The term is its one user, whose place this takes. */
    file = part_of(part_of(made)->items[1])->resource;
}

static void place(size_t at)
{
    ERL_NIF_TERM given[] = {this_file(), number(at)};
    MUST(position_file(NULL, 2, given) == atom_ok);
}

static void add(void)
{
    ERL_NIF_TERM all = enif_make_atom(NULL, "[]");
    ERL_NIF_TERM pieces[200];
    const size_t count = any(200);
    for (size_t i = 0; i < count; ++i) {
        const size_t more = any(4) == 0 ? BLOCK : any(300) == 0 ? any(3 * ROOM / 2) : any(6000);
        model = realloc(model, size + more + 1);
        for (size_t k = 0; k < more; ++k) model[size + k] = (unsigned char)(k * 7 + steps);
        pieces[i] = bytes(model + size, more);
        size += more;
        total += more;
    }
    for (size_t i = count; i > 0; --i) all = list(pieces[i - 1], all);
    ERL_NIF_TERM given[] = {this_file(), all, any(2) == 0 ? atom_true : atom_false};
    MUST(write_file(NULL, 3, given) == atom_ok);
}

/* The file holds what was written; behind that there are at most zeros. */
static void compare(bool closed)
{
    FILE *in = fopen(path, "rb");
    MUST(in != NULL);
    unsigned char *found = malloc(size + BLOCK + 1);
    const size_t got = fread(found, 1, size + BLOCK + 1, in);
    MUST(got >= size && got - size < (closed ? 1 : BLOCK) && (size == 0 || memcmp(found, model, size) == 0));
    for (size_t i = size; i < got; ++i) MUST(found[i] == 0);
    free(found);
    fclose(in);
}

static void step(int what)
{
    ERL_NIF_TERM given[] = {this_file()};
    if (what < 150) {
        add();
    } else if (what < 180) {
        MUST(datasync_file(NULL, 1, given) == atom_ok);
        compare(false);
    } else if (what < 220) {
        size = any(size + 1);
        place(size);
        MUST(truncate_file(NULL, 1, given) == atom_ok);
    } else if (what < 240) {
        MUST(close_opened(NULL, 1, given) == atom_ok);
        MUST(part_of(datasync_file(NULL, 1, given))->kind == TUPLE);
        compare(true);
        enif_release_resource(file);
        begin(false);
        place(size);
    } else {
        ERL_NIF_TERM bad[] = {this_file(), list(number(1), enif_make_atom(NULL, "[]")), atom_false};
        MUST(part_of(write_file(NULL, 3, bad))->kind == TUPLE);
        MUST(part_of(truncate_file(NULL, 1, bad + 1))->kind == BADARG);
        MUST(part_of(position_file(NULL, 2, bad))->kind == BADARG);
    }
}

int main(int count, char **words)
{
    int what;
    MUST(count == 2 && load(NULL, NULL, 0) == 0);
    path = words[1];
    begin(true);
    for (; (what = getchar()) != EOF; ++steps) {
        random_state += (uint64_t)what;
        step(what);
        forget();
        if (size > 20 * ROOM) {
            size = 0;
            place(0);
            ERL_NIF_TERM given[] = {this_file()};
            MUST(truncate_file(NULL, 1, given) == atom_ok);
            forget();
        }
    }
    enif_release_resource(file);
    free(model);
    MUST(resources == 0 && mutexes == 0);
    remove(path);
    printf("%llu %llu\n", (unsigned long long)steps, (unsigned long long)total);
    return 0;
}
