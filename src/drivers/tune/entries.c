/* SPDX-License-Identifier: Apache-2.0 */
/* entries.c - stored choices in memory. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "store.h"

int hd__tune_same_key(const hd__tune_entry *a, const hd__tune_entry *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->type, b->type) == 0 &&
           strcmp(a->place.source, b->place.source) == 0 &&
           strcmp(a->place.compiler, b->place.compiler) == 0 &&
           strcmp(a->place.device, b->place.device) == 0 &&
           strcmp(a->place.driver, b->place.driver) == 0;
}

hd_status hd__tune_entries_put(const char *call, hd__tune_entries *to, const hd__tune_entry *entry)
{
    for (size_t i = 0; i < to->count; i++)
        if (to->all[i].bucket == entry->bucket && hd__tune_same_key(&to->all[i], entry)) {
            to->all[i] = *entry;
            return HD_OK;
        }
    if (to->count == HD__TUNE_ENTRIES_MAX)
        return hd__fail(HD_ERR_OVERFLOW, call,
                        "the file of tuned choices is full: %d entries; "
                        "'heddle tune --reset' empties it",
                        HD__TUNE_ENTRIES_MAX);
    if (to->count == to->room) {
        const size_t room = to->room ? 2 * to->room : 16;
        hd__tune_entry *more = realloc(to->all, room * sizeof *more);
        if (!more)
            return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for %zu choices", room);
        to->all = more;
        to->room = room;
    }
    to->all[to->count++] = *entry;
    return HD_OK;
}

void hd__tune_entries_free(hd__tune_entries *entries)
{
    free(entries->all);
    memset(entries, 0, sizeof *entries);
}
