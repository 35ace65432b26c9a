/* SPDX-License-Identifier: Apache-2.0 */
/* suffix.c - recognizes formats by the suffix of a file's name. */
#include "suffix.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

bool hd__io_ends_with(const char *path, const char *suffix)
{
    const size_t length = strlen(path), tail = strlen(suffix);

    return length > tail && strcasecmp(path + length - tail, suffix) == 0;
}

const char *hd__io_known_suffix(const char *path)
{
    static const char *const known[] = {".npy", ".npz",  ".csv",  ".tsv", ".txt",  ".dat", ".bin",
                                        ".raw", ".mtx",  ".mat",  ".h5",  ".json", ".xml", ".html",
                                        ".svg", ".pdf",  ".png",  ".jpg", ".jpeg", ".gif", ".bmp",
                                        ".tif", ".tiff", ".webp", ".pgm", ".ppm",  ".gz",  ".zip"};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (hd__io_ends_with(path, known[i]))
            return known[i];
    return NULL;
}
