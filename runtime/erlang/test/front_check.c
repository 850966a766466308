/*
 * c_src/aldis_front_nif.c outside of the VM, for a build with sanitizers, against a plain model. Each byte of standard input is a step: a front
 * is made, takes a message of some length, gives all away, is told its bounds, is closed, or its client ends; terms of the wrong kind are
 * given, too. Says how many steps there were and how many messages were taken.
 */
#include "fake_calls.h"

#include "aldis_front_nif.c"

typedef struct {
    uint64_t most, most_bytes, full, full_bytes, held, held_bytes, longest, next;
    state_t state;
    unsigned char *entries;
    size_t used, count;
    bool told_first, told_full;
} model_t;

static model_t model;
static void *front;
static uint64_t random_state = 88172645463325252u, steps, taken;

static uint64_t any(uint64_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % below;
}

static ERL_NIF_TERM this_front(void)
{
    part_t *part = new_part(RESOURCE);
    part->resource = front;
    return (ERL_NIF_TERM)part;
}

static void begin(void)
{
    if (front != NULL) enif_release_resource(front);
    free(model.entries);
    model = (model_t){.most = any(400), .most_bytes = any(90000), .full = any(20), .full_bytes = any(3000), .next = 1, .state = OPEN};
    ERL_NIF_TERM given[] = {number(model.most), number(model.most_bytes), number(model.full), number(model.full_bytes)};
    ERL_NIF_TERM made = new_front(NULL, 4, given);
    MUST(part_of(made)->kind == RESOURCE && is_watched);
    /* The term is its one user, whose place this takes. */
    front = part_of(made)->resource;
}

static ERL_NIF_TERM expected_news(void)
{
    if (!model.told_full && (model.count >= model.full || model.used >= model.full_bytes)) {
        model.told_full = model.told_first = true;
        return atom_full;
    }
    if (model.told_first) return atom_none;
    model.told_first = true;
    return atom_first;
}

static void add(size_t size)
{
    unsigned char *message = malloc(size + 1);
    MUST(message != NULL);
    for (size_t i = 0; i < size; ++i) message[i] = (unsigned char)any(256);
    ERL_NIF_TERM given[] = {this_front(), bytes(message, size)};
    ERL_NIF_TERM said = append(NULL, 2, given);
    const bool fits = model.state == OPEN && size <= model.longest && model.held + model.count + 1 <= model.most &&
        model.held_bytes + model.used + 4 + size <= model.most_bytes;
    if (!fits) {
        MUST(said == (model.state == GONE ? atom_gone : atom_ask));
    } else {
        model.entries = realloc(model.entries, model.used + 4 + size);
        for (int i = 0; i < 4; ++i) model.entries[model.used + (size_t)i] = (unsigned char)(size >> (8 * i));
        memcpy(model.entries + model.used + 4, message, size);
        model.used += 4 + size;
        ++model.count;
        ++taken;
        const ERL_NIF_TERM news = expected_news();
        if (news != atom_none) {
            MUST(part_of(said)->kind == TUPLE && part_of(said)->items[1] == news);
            said = part_of(said)->items[0];
        }
        MUST(part_of(said)->kind == NUMBER && part_of(said)->number == model.next++);
    }
    free(message);
}

static void take_all(uint64_t more)
{
    ERL_NIF_TERM given[] = {this_front(), number(more)};
    ERL_NIF_TERM said = take(NULL, 2, given);
    if (model.count == 0) {
        MUST(said == atom_none);
    } else {
        const part_t *all = part_of(part_of(said)->items[1]);
        MUST(part_of(part_of(said)->items[0])->number == model.count && all->size == model.used);
        MUST(memcmp(all->bytes, model.entries, model.used) == 0);
    }
    model.held += model.count;
    model.held_bytes += model.used;
    model.next += more;
    model.used = model.count = 0;
    model.told_first = model.told_full = false;
}

static void bounds(void)
{
    model.held = any(10);
    model.held_bytes = any(1000);
    model.longest = any(8) == 0 ? 1u << 20 : any(2000);
    ERL_NIF_TERM given[] = {this_front(), number(model.held), number(model.held_bytes), number(model.longest)};
    MUST(set(NULL, 4, given) == atom_ok);
    if (model.longest > LONGEST) model.longest = LONGEST;
}

static void wrong(void)
{
    ERL_NIF_TERM given[] = {number(1), bytes("a", 1), this_front(), bytes("b", 1)};
    MUST(part_of(append(NULL, 2, given))->kind == BADARG);
    MUST(part_of(append(NULL, 2, given + 2))->kind != BADARG || model.state != OPEN);
    given[3] = this_front();
    MUST(part_of(append(NULL, 2, given + 2))->kind == BADARG);
    MUST(part_of(take(NULL, 2, given + 2))->kind == BADARG);
    MUST(part_of(set(NULL, 4, given))->kind == BADARG);
    MUST(part_of(new_front(NULL, 4, given))->kind == BADARG);
    MUST(part_of(close_front(NULL, 1, given))->kind == BADARG);
}

static void step(int what)
{
    ERL_NIF_TERM given[] = {this_front()};
    if (what < 200) add(what < 180 ? any(100) : any(70000));
    else if (what < 230) take_all(any(3));
    else if (what < 246) bounds();
    else if (what < 250) {
        MUST(close_front(NULL, 1, given) == atom_ok);
        if (model.state == OPEN) model.state = CLOSED;
    } else if (what < 252) {
        client_down(NULL, front, NULL, &watched);
        model.state = GONE;
        model.used = model.count = 0;
    } else if (what < 254) begin();
    else {
        /* Messages that are taken by the way are not in the model. */
        wrong();
        begin();
    }
}

int main(void)
{
    int what;
    MUST(load(NULL, NULL, 0) == 0);
    begin();
    for (; (what = getchar()) != EOF; ++steps) {
        random_state += (uint64_t)what;
        step(what);
        forget();
    }
    enif_release_resource(front);
    free(model.entries);
    MUST(resources == 0 && mutexes == 0);
    printf("%llu %llu\n", (unsigned long long)steps, (unsigned long long)taken);
    return 0;
}
