/* SPDX-License-Identifier: Apache-2.0 */
/* random_reference.h - what `heddle random` was asked for, and its elements made one by one. */
#ifndef HEDDLE_CLI_PRIMITIVES_RANDOM_REFERENCE_H
#define HEDDLE_CLI_PRIMITIVES_RANDOM_REFERENCE_H

#include <heddle/random.h>

typedef enum random_distribution {
    RANDOM_BITS,
    RANDOM_UNIFORM,
    RANDOM_NORMAL,
    RANDOM_LOGNORMAL,
    RANDOM_POISSON,
    RANDOM_SOBOL
} random_distribution;

typedef struct random_call {
    random_distribution distribution;
    const char *name;
    hd_type type;
    size_t n; /* elements, of all dimensions */
    unsigned dimensions;
    hd_sobol_kind kind;
    hd_random from;
    double mean, deviation;
    void *out;
} random_call;

/* Element i of the data as a double. */
double random_element(const random_call *c, const void *data, size_t i);
/* Whether there is something to compare with: Philox, and plain Sobol points. */
int random_has_reference(const random_call *c);
/* The first element that differs from the one made by its definition, SIZE_MAX for none. */
size_t random_wrong(const random_call *c, const void *data);

#endif
