/*
 * The scan of c_src/scan.h outside of the VM, for builds with sanitizers: reads frames from standard input, each behind
 * its size (32 bits, big endian), and writes for each "1" if the scan accepts it, else "0". Every frame is memory of its
 * own and exact size, so that no read beyond it goes unseen. With OWN they are taken as frames of our own.
 */
#include <stdio.h>
#include <stdlib.h>

#include "scan.h"

static int accepted(const uint8_t *frame, size_t size)
{
    scan_t scan;
    verdict_t verdict;
    if (size == 0 || frame[0] != 131) return 0;
#ifdef OWN
    scan_start_own(&scan, size, true);
#else
    scan_start(&scan, size, 64, 262144, 9, true);
#endif
    do verdict = scan_run(&scan, frame, size);
    while (verdict == GO_ON);
    return verdict == ACCEPTED;
}

int main(void)
{
    uint8_t head[4];
    while (fread(head, 1, 4, stdin) == 4) {
        size_t size = u32(head);
        uint8_t *frame = malloc(size + (size == 0));
        if (frame == NULL || fread(frame, 1, size, stdin) != size) return 1;
        putchar(accepted(frame, size) ? '1' : '0');
        free(frame);
    }
    return 0;
}
