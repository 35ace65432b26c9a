/* SPDX-License-Identifier: Apache-2.0 */
/* sites.c - profiled kernels and their sites. */
#include "check/profile/profile.h"

#include <stdlib.h>

hd_check_profiled *hd_check_profiled_kernels;
hd_check_site *hd_check_sites;
unsigned hd_check_site_count;

static uint32_t *slots; /* hash table of sites */
static unsigned slots_room;

hd_check_profiled *hd_check_profiled_of(const hd_kernel *kernel)
{
    static hd_check_profiled *last;

    if (last && last->kernel == kernel)
        return last;
    last = hd_check_profiled_kernels;
    while (last && last->kernel != kernel)
        last = last->next;
    if (!last && (last = calloc(1, sizeof *last))) {
        last->kernel = kernel;
        last->next = hd_check_profiled_kernels;
        hd_check_profiled_kernels = last;
    }
    return last;
}

static unsigned slot_of(const hd_check_profiled *kernel, uintptr_t pc, unsigned what)
{
    uint64_t key = ((uint64_t)pc ^ (uint64_t)(uintptr_t)kernel << 17) * 8 + what;
    unsigned slot = (unsigned)(key * 0x9e3779b97f4a7c15u >> 40) & (slots_room - 1);

    while (slots[slot]) {
        const hd_check_site *s = &hd_check_sites[slots[slot]];

        if (s->pc == pc && s->kernel == kernel && s->what == what)
            break;
        slot = (slot + 1) & (slots_room - 1);
    }
    return slot;
}

/* Makes room for one more site; half of the slots stay empty. 0: out of memory. */
static int sites_grow(void)
{
    unsigned room = slots_room ? 2 * slots_room : 1024;
    hd_check_site *more;

    if (2 * (hd_check_site_count + 2) < slots_room)
        return 1;
    more = realloc(hd_check_sites, room / 2 * sizeof *more);
    if (!more)
        return 0;
    hd_check_sites = more;
    free(slots);
    slots = calloc(room, sizeof *slots);
    slots_room = slots ? room : 0;
    for (uint32_t i = 1; slots && i <= hd_check_site_count; i++)
        slots[slot_of(more[i].kernel, more[i].pc, more[i].what)] = i;
    return slots != NULL;
}

uint32_t hd_check_site_of(hd_check_profiled *kernel, uintptr_t pc, unsigned what)
{
    unsigned slot;

    if (!sites_grow())
        return 0;
    slot = slot_of(kernel, pc, what);
    if (!slots[slot]) {
        slots[slot] = ++hd_check_site_count;
        hd_check_sites[slots[slot]] = (hd_check_site){
            .kernel = kernel, .pc = pc, .what = what, .next = kernel->sites};
        kernel->sites = slots[slot];
    }
    return slots[slot];
}
