/* SPDX-License-Identifier: Apache-2.0 */
/* Files that a test writes byte by byte into a folder of its own, which goes when the test ends. */
#ifndef HEDDLE_TESTS_IO_SCRATCH_H
#define HEDDLE_TESTS_IO_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCRATCH_FILES 32

static char scratch_folder[256];
static char scratch_paths[SCRATCH_FILES][320];
static int scratch_count;

static inline void scratch_remove(void)
{
    int i;

    for (i = 0; i < scratch_count; i++)
        remove(scratch_paths[i]);
    rmdir(scratch_folder);
}

/* A path in the folder, whose file is removed at the end. */
static inline const char *scratch_path(const char *name)
{
    char *path = scratch_paths[scratch_count];
    const char *base = getenv("TMPDIR");

    if (scratch_folder[0] == '\0') {
        snprintf(scratch_folder, sizeof scratch_folder, "%s/heddle-io-XXXXXX",
                 base != NULL && strlen(base) < 200 ? base : "/tmp");
        if (mkdtemp(scratch_folder) == NULL)
            abort();
        atexit(scratch_remove);
    }
    if (scratch_count == SCRATCH_FILES)
        abort();
    snprintf(path, sizeof scratch_paths[0], "%s/%s", scratch_folder, name);
    scratch_count++;
    return path;
}

static inline const char *scratch_write(const char *name, const void *bytes, size_t size)
{
    const char *path = scratch_path(name);
    FILE *file = fopen(path, "wb");

    if (file == NULL || (size > 0 && fwrite(bytes, 1, size, file) != size) || fclose(file) != 0)
        abort();
    return path;
}

#endif
