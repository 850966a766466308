/*
 * The walk of c_src/write.h outside of the VM, for builds with sanitizers: reads frames from standard input, each behind its
 * size (32 bits, big endian), makes terms of them, writes these, and answers for each with "w" if it was written, "n" if it is
 * no data, "l" if it is left to the VM, "-" if there is no term. The bytes written must be read as the same term, and the check
 * of frames of our own must accept them. With FUZZ it is a target of libFuzzer.
 */
#include <stdio.h>

#include "fake_vm.h"
#include "scan.h"
#include "write.h"

/* No byte behind a frame is padding, which no sanitizer watches. */
_Static_assert(sizeof(writer_t) == offsetof(writer_t, frame) + LARGEST_FRAME + SLACK, "padding behind the frame");

static void must(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "write.h: %s\n", what);
    abort();
}

static ERL_NIF_TERM named(const char *name) { return atom((const uint8_t *)name, strlen(name)); }

static void check_frame(const writer_t *w, ERL_NIF_TERM term)
{
    size_t size = (size_t)(w->at - w->frame);
    uint8_t *frame = owned(size);
    scan_t scan;
    verdict_t verdict;
    memcpy(frame, w->frame, size);
    ERL_NIF_TERM again = read_frame(frame, size);
    must(again != 0 && same(term, again), "another term was written");
    scan_start_own(&scan, size, w->utf8);
    do verdict = scan_run(&scan, frame, size);
    while (verdict == GO_ON);
    must(verdict == ACCEPTED, "no data was written");
    free(frame);
}

static char verdict_of(ERL_NIF_TERM term, bool utf8)
{
    writer_t w;
    writer_start(&w, NULL, utf8, named("__struct__"), named("bytes"));
    asked = 0;
    written_t written = write_term(&w, term);
    must(asked <= 10 * (MOST_PARTS + 10), "the walk is too long");
    if (written == WRITTEN) check_frame(&w, term);
    return "wnl"[written];
}

static char answer(const uint8_t *frame, size_t size)
{
    ERL_NIF_TERM term = read_frame(frame, size);
    char verdict = '-';
    if (term != 0) {
        verdict = verdict_of(term, true);
        char unchecked = verdict_of(term, false);
        must(verdict != 'w' || unchecked == 'w', "text that is good was refused");
    }
    forget();
    return verdict;
}

#ifdef FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *frame, size_t size)
{
    (void)answer(frame, size);
    return 0;
}
#else
int main(void)
{
    uint8_t head[4];
    while (fread(head, 1, 4, stdin) == 4) {
        size_t size = u32(head);
        uint8_t *frame = malloc(size + (size == 0));
        if (frame == NULL || fread(frame, 1, size, stdin) != size) return 1;
        putchar(answer(frame, size));
        free(frame);
    }
    return 0;
}
#endif
