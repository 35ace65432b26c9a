/* SPDX-License-Identifier: Apache-2.0 */
/* clock.c - vector clocks: for each stream, by number, how many of its operations are done. */
#include "order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *hd_check_must(void *memory)
{
    if (!memory) {
        (void)fprintf(stderr, "heddle check: no memory left for the checker\n");
        abort();
    }
    return memory;
}

int hd_check_covers(const hd_check_clock *clock, unsigned stream, uint32_t index)
{
    return stream < clock->count && clock->at[stream] >= index;
}

static void grow(hd_check_clock *clock, unsigned count)
{
    if (clock->count >= count)
        return;
    clock->at = hd_check_must(realloc(clock->at, count * sizeof *clock->at));
    memset(clock->at + clock->count, 0, (count - clock->count) * sizeof *clock->at);
    clock->count = count;
}

void hd_check_clock_join(hd_check_clock *into, const hd_check_clock *from)
{
    grow(into, from->count);
    for (unsigned i = 0; i < from->count; i++)
        if (into->at[i] < from->at[i])
            into->at[i] = from->at[i];
}

void hd_check_clock_see(hd_check_clock *clock, unsigned stream, uint32_t index)
{
    grow(clock, stream + 1);
    if (clock->at[stream] < index)
        clock->at[stream] = index;
}

hd_check_clock hd_check_clock_copy(const hd_check_clock *from)
{
    hd_check_clock copy = {NULL, 0};

    hd_check_clock_join(&copy, from);
    return copy;
}
