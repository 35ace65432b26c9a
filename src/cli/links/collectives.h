/* SPDX-License-Identifier: Apache-2.0 */
/* collectives.h - what the files of `heddle collectives` share. */
#ifndef HEDDLE_CLI_LINKS_COLLECTIVES_H
#define HEDDLE_CLI_LINKS_COLLECTIVES_H

#include <heddle/group.h>

#include "cli/app/devices.h"
#include "cli/app/output.h"

/* X(name, text, parts, numerator): a rank's larger array has `count` elements times `parts` (0: one
   part, 1: one for each rank); the bus carries numerator * (R - 1) / R of its bytes, 0: all. */
#define COLLECTIVE_LIST(X)                                                                         \
    X(COLLECTIVE_ALL_REDUCE, "all-reduce", 0, 2)                                                   \
    X(COLLECTIVE_REDUCE, "reduce", 0, 0)                                                           \
    X(COLLECTIVE_REDUCE_SCATTER, "reduce-scatter", 1, 1)                                           \
    X(COLLECTIVE_ALL_GATHER, "all-gather", 1, 1)                                                   \
    X(COLLECTIVE_BROADCAST, "broadcast", 0, 0)                                                     \
    X(COLLECTIVE_ALL_TO_ALL, "all-to-all", 1, 1)                                                   \
    X(COLLECTIVE_SEND_RECEIVE, "send-receive", 0, 0)

typedef enum collective {
#define COLLECTIVE_ENUM_(name, text, parts, numerator) name,
    COLLECTIVE_LIST(COLLECTIVE_ENUM_)
#undef COLLECTIVE_ENUM_
        COLLECTIVE_COUNT_
} collective;

/* One line of the table. */
typedef struct collective_case {
    hd_group *group;
    collective what;
    size_t count; /* of a rank's part */
    hd_type type;
    hd_reduce_op op;
    int in_place;
    size_t runs;
    size_t in_graph; /* operations of a graph that is launched again and again; 0: none */
    int check;
} collective_case;

typedef struct collective_result {
    double seconds; /* of one operation, the slowest rank's, median of rounds */
    uint64_t wrong; /* elements, of all ranks */
    int checked;
} collective_result;

extern const char *const collective_names[COLLECTIVE_COUNT_];
size_t collective_parts(collective what, unsigned ranks);
/* Bytes over the bus for each byte of a rank's larger array. */
double collective_bus(collective what, unsigned ranks);

/* Allocates, runs, times, checks. */
hd_status collective_run(const collective_case *c, collective_result *result);

/* Element i of rank r's input: whole numbers from -8 to 7, of which all sums are exact. */
void collective_fill(const collective_case *c, unsigned rank, void *to, size_t n);
/* Wrong elements in what rank r got. */
uint64_t collective_wrong(const collective_case *c, unsigned rank, const void *got);

#endif
