/* SPDX-License-Identifier: Apache-2.0 */
/* use.c - the list of kernels. */
#include "use.h"

#include <stdlib.h>
#include <string.h>

use *uses_add(uses *list, const char *name)
{
    use *added;

    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 64;
        use *moved = realloc(list->list, room * sizeof *moved);

        if (!moved)
            return NULL;
        list->list = moved;
        list->room = room;
    }
    added = &list->list[list->count];
    memset(added, 0, sizeof *added);
    added->name = strdup(name);
    if (!added->name)
        return NULL;
    list->count++;
    return added;
}

void uses_free(uses *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->list[i].name);
    free(list->list);
}
