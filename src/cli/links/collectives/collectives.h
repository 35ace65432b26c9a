/* SPDX-License-Identifier: Apache-2.0 */
/* collectives.h - what the files of `heddle collectives` share. */
#ifndef HEDDLE_CLI_LINKS_COLLECTIVES_H
#define HEDDLE_CLI_LINKS_COLLECTIVES_H

#include <heddle/group.h>

#include "cli/app/devices.h"
#include "cli/app/table.h"

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

enum { COLLECTIVES_SIZES = 64 };

/* The job of `heddle collectives`. */
typedef struct collectives {
    const cli_arguments *arguments;
    cli_format format;
    cli_devices devices;
    hd_group *own, *library; /* library NULL: not asked for, or not there */
    unsigned collectives;    /* bits */
    uint64_t sizes[COLLECTIVES_SIZES];
    size_t size_count;
    hd_type type;
    hd_reduce_op op;
    hd_group_algorithm algorithm; /* as asked for, and */
    int replaced;                 /* whether that was told to be replaced */
    int refused;                  /* whether it was told what the library does not reduce */
    size_t runs;                  /* 0: by size */
    size_t in_graph;              /* operations; 0: none */
    bool check;
    uint64_t wrong;
    int lines; /* rows that were printed */
    cli_result output;
} collectives;

/* Of one size: own out of place, own in place, the library out of place. */
typedef struct collectives_row {
    collective what;
    size_t bytes, count;
    collective_result result[3];
    int has[3];
} collectives_row;

/* The algorithm that is used for a row of heddle's own; "-" if there is one only. */
const char *collectives_algorithm(const collectives *s, const collectives_row *row);
/* Prints a row, before the first one what all have; `first` of its collective begins a part. */
void collectives_print(collectives *s, const collectives_row *row, bool first);
/* Prints the end. `status` is how the run ended: rows that a failure keeps from being there are not
   right. CLI_DONE, or CLI_FAILED after a line. */
int collectives_print_end(collectives *s, int status);

#endif
