/* SPDX-License-Identifier: Apache-2.0 */
/* random_reference.h - the options of `heddle random`, and its elements computed one by one. */
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
/* Whether there is a reference: for Philox, and unscrambled Sobol points. */
int random_has_reference(const random_call *c);
/* The first element that differs from its definition; SIZE_MAX: none. */
size_t random_wrong(const random_call *c, const void *data);

#endif
