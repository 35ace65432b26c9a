/* SPDX-License-Identifier: Apache-2.0 */
/* knowledge.c - what a thread, a warp or a block knows about others: references to the releases
   that it has read. Barriers pass the references on to the whole block. */
#include "knowledge.h"

#include <stdlib.h>

enum { REFS_MAX = 256 };

int hd_check_grow(void **array, uint32_t *room, uint32_t count, size_t size)
{
    uint32_t wanted = *room ? 2 * *room : 4;
    void *bigger;

    if (count < *room)
        return 1;
    bigger = realloc(*array, wanted * size);
    if (!bigger)
        return 0;
    *array = bigger;
    *room = wanted;
    return 1;
}

void hd_check_unlearn(hd_check_knowledge *knows)
{
    knows->count = 0;
    knows->all = 0;
}

static int includes(const hd_check_ref *newer, const hd_check_ref *older)
{
    return newer->to >= older->to && hd_check_reach_of(newer) <= older->from;
}

void hd_check_learn(hd_check_knowledge *knows, const hd_check_ref *ref)
{
    unsigned kept = 0;
    uint32_t room = knows->room;
    void *refs = knows->refs;

    if (knows->all)
        return;
    for (unsigned i = 0; i < knows->count; i++) {
        const hd_check_ref *old = &knows->refs[i];
        int same = old->variable == ref->variable && old->serial == ref->serial &&
                   old->scope == ref->scope;

        if (same && includes(old, ref))
            return;
        if (!same || !includes(ref, old))
            knows->refs[kept++] = *old;
    }
    knows->count = kept;
    if (kept == REFS_MAX || !hd_check_grow(&refs, &room, kept, sizeof *ref)) {
        knows->all = 1;
        return;
    }
    knows->refs = refs;
    knows->room = room;
    knows->refs[knows->count++] = *ref;
}

void hd_check_merge(hd_check_knowledge *into, const hd_check_knowledge *from)
{
    for (unsigned i = 0; i < from->count; i++)
        hd_check_learn(into, &from->refs[i]);
    into->all |= from->all;
}
