/* SPDX-License-Identifier: Apache-2.0 */
/* collectives.h - internal interface of `heddle collectives`. */
#ifndef HEDDLE_CLI_LINKS_COLLECTIVES_H
#define HEDDLE_CLI_LINKS_COLLECTIVES_H

#include <heddle/group.h>

#include "cli/app/devices.h"
#include "cli/app/table.h"

/* X(name, text, parts, numerator): a rank's larger array has `count` elements times `parts` (0: one
   part, 1: one per rank); the bus carries numerator * (R - 1) / R of its bytes, 0: all. */
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
    size_t count; /* elements of a rank's part */
    hd_type type;
    hd_reduce_op op;
    int in_place;
    size_t runs;
    size_t in_graph; /* operations per graph, which is launched repeatedly; 0: no graph */
    int check;
} collective_case;

typedef struct collective_result {
    double seconds; /* of one operation on the slowest rank, median of rounds */
    uint64_t wrong; /* wrong elements, on all ranks */
    int checked;
} collective_result;

extern const char *const collective_names[COLLECTIVE_COUNT_];
size_t collective_parts(collective what, unsigned ranks);
/* Bytes over the bus per byte of a rank's larger array. */
double collective_bus(collective what, unsigned ranks);

/* Allocates, runs, times, checks. */
hd_status collective_run(const collective_case *c, collective_result *result);

/* Element i of rank r's input: integers from -8 to 7, whose sums are exact. */
void collective_fill(const collective_case *c, unsigned rank, void *to, size_t n);
/* Number of wrong elements in rank r's result. */
uint64_t collective_wrong(const collective_case *c, unsigned rank, const void *got);

enum { COLLECTIVES_SIZES = 64 };

/* The job of `heddle collectives`. */
typedef struct collectives {
    const cli_arguments *arguments;
    cli_format format;
    cli_devices devices;
    hd_group *own, *library; /* library NULL: not requested or not available */
    unsigned collectives;    /* bits */
    uint64_t sizes[COLLECTIVES_SIZES];
    size_t size_count;
    hd_type type;
    hd_reduce_op op;
    hd_group_algorithm algorithm; /* as requested */
    int replaced;                 /* a note about a replaced algorithm was printed */
    int refused;     /* a note about types that the library does not reduce was printed */
    size_t runs;     /* 0: depends on the size */
    size_t in_graph; /* operations; 0: no graph */
    bool check;
    uint64_t wrong;
    int lines; /* rows printed so far */
    cli_result output;
} collectives;

/* Results for one size: heddle out of place, heddle in place, the library out of place. */
typedef struct collectives_row {
    collective what;
    size_t bytes, count;
    collective_result result[3];
    int has[3];
} collectives_row;

/* The algorithm of heddle's row; "-" if there is only one. */
const char *collectives_algorithm(const collectives *s, const collectives_row *row);
/* Prints a row; before the first one, the fields common to all. `first`: the first row of its
   collective. */
void collectives_print(collectives *s, const collectives_row *row, bool first);
/* Ends the output. `status`: how the run ended; rows missing because of a failure count as wrong.
   CLI_DONE, or CLI_FAILED after a line. */
int collectives_print_end(collectives *s, int status);

#endif
