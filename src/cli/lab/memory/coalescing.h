/* SPDX-License-Identifier: Apache-2.0 */
/* coalescing.h - cases of `heddle lab coalescing`, and what the model predicts of them. */
#ifndef HEDDLE_CLI_LAB_MEMORY_COALESCING_H
#define HEDDLE_CLI_LAB_MEMORY_COALESCING_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/lab/kernels/coalescing.h"

typedef struct coalescing_case {
    char name[24];
    unsigned bytes; /* of an element */
    coalescing_reads reads;
} coalescing_case;

/* Sums over requests of a warp. */
typedef struct coalescing_model {
    double requests;
    double used;              /* bytes, each once per request */
    double sectors;           /* of 32 bytes */
    double lines64, lines128; /* of 64 and 128 bytes */
    double shared;            /* bytes of sectors that the next request reads too */
} coalescing_model;

/* Predicts the first `requests` requests of warps of `warp` lanes; the first element is aligned to
   128 bytes. */
coalescing_model coalescing_predict(const coalescing_case *c, size_t requests, unsigned warp);

#endif
