/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets share: the entry that libFuzzer and replay.c call, and a check. */
#ifndef HEDDLE_TESTS_FUZZ_H
#define HEDDLE_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_MUST(cond)                                                                            \
    do {                                                                                           \
        if (!(cond)) {                                                                             \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #cond);              \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* Every message is one line of printable text that begins with the file's name. */
static inline void fuzz_check_message(const char *message, size_t room, const char *name)
{
    const char *end = memchr(message, '\0', room);
    const char *c;

    FUZZ_MUST(end != NULL);
    FUZZ_MUST(strncmp(message, name, strlen(name)) == 0);
    for (c = message; c < end; c++)
        FUZZ_MUST((unsigned char)*c >= 0x20 && *c != 0x7f);
}

#endif
