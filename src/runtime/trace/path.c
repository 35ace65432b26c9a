/* SPDX-License-Identifier: Apache-2.0 */
/* path.c - trace file names that contain the process id. */
#include "path.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int hd__trace_path(const char *text, char *path, size_t size)
{
    const char *mark = strstr(text, "%p");
    int used = mark ? snprintf(path, size, "%.*s%ld%s", (int)(mark - text), text, (long)getpid(),
                               mark + 2)
                    : snprintf(path, size, "%s", text);
    return used >= 0 && (size_t)used < size;
}
