/*
 * The walks of c_src/walk.h and the checksum of c_src/crc32.h outside of the VM, for builds with sanitizers. Reads cases from standard input: a byte (0 legacy
 * messages with little-endian sizes, 1 with big-endian ones, 2 entries, 3 a checksum), the largest size, the count or nothing, the size of the
 * buffer (32 bits each, big endian) and the buffer; writes for each how many messages were whole, where the last one of them
 * begins and where the next; or the checksum. Every buffer is memory of its own and exact size, so that no read beyond it goes unseen.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "crc32.h"
#include "walk.h"

int main(void)
{
    uint8_t head[9];
    crc32_start();
    while (fread(head, 1, sizeof head, stdin) == sizeof head) {
        uint32_t limit = size_of(head + 1, BIG);
        size_t size = size_of(head + 5, BIG);
        uint8_t *buffer = malloc(size + (size == 0));
        if (buffer == NULL || fread(buffer, 1, size, stdin) != size) return 1;
        if (head[0] == 3) {
            printf("%" PRIu32 "\n", crc32_update(0, buffer, size));
            free(buffer);
            continue;
        }
        walk_t walk;
        if (head[0] == 2) entries_start(&walk, 0, limit);
        else legacy_start(&walk, 0, head[0] == 0 ? LITTLE : BIG, limit);
        while (!walk_run(&walk, buffer, size)) {}
        printf("%" PRIu64 " %zu %zu\n", walk.count, walk.last, walk.at);
        free(buffer);
    }
    return 0;
}
