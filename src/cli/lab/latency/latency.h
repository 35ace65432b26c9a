/* SPDX-License-Identifier: Apache-2.0 */
/* latency.h - rows of `heddle lab latency`. */
#ifndef HEDDLE_CLI_LAB_LATENCY_LATENCY_H
#define HEDDLE_CLI_LAB_LATENCY_LATENCY_H

#include "cli/lab/experiment/lab.h"

typedef struct latency {
    lab lab;
    unsigned parts;        /* bits: chase, atomics, calls */
    uint64_t size;         /* bytes of the largest working set */
    uint64_t repeats;      /* of an operation per measurement */
    int64_t l2, kilohertz; /* 0: not known */
} latency;

/* What one row says. Times are seconds of one operation. */
typedef struct latency_row {
    const char *name, *level;    /* level: of the memory, predicted; NULL: none */
    uint64_t bytes;              /* working set; 0: none */
    uint64_t predicted, counted; /* operations; counted is not printed if `uncounted` */
    bool uncounted, right;       /* right: the results are those of the host */
    double seconds, least, most; /* 0: not timed */
    double published;            /* cycles; 0: none */
} latency_row;
void latency_print(latency *l, const latency_row *row);

/* Parts; each prints its rows until l->lab.failed. */
void latency_chases(latency *l);  /* chase.c */
void latency_atomics(latency *l); /* atomics.c */
void latency_calls(latency *l);   /* calls.c */

#endif
