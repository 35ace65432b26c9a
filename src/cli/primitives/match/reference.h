/* SPDX-License-Identifier: Apache-2.0 */
/* reference.h - the patterns of `heddle match`, and the same search in plain C. */
#ifndef HEDDLE_CLI_PRIMITIVES_MATCH_REFERENCE_H
#define HEDDLE_CLI_PRIMITIVES_MATCH_REFERENCE_H

#include <heddle/match.h>

#include "cli/app/arguments.h"

typedef struct match_patterns {
    hd_pattern list[HD_MATCH_PATTERNS_MAX];
    size_t count;
    unsigned char *bytes; /* of all patterns */
} match_patterns;

/* Reads the first `words` operands as patterns, verbatim or in hexadecimal. CLI_DONE, or an exit
   status after a line. */
int match_patterns_read(const cli_arguments *arguments, size_t words, int hex,
                        match_patterns *patterns_out);
void match_patterns_free(match_patterns *patterns);

/* State of the search on the host. */
typedef struct match_reference {
    uint64_t blocked, count;
} match_reference;

/* Searches a chunk as hd_match_chunk does, and compares the first `count` positions and patterns.
   Returns the first difference; UINT64_MAX: none. */
uint64_t match_reference_chunk(match_reference *reference, const match_patterns *patterns,
                               unsigned flags, const unsigned char *text, size_t n, size_t starts,
                               uint64_t base, const uint64_t *positions, const uint32_t *which,
                               uint64_t count);

#endif
