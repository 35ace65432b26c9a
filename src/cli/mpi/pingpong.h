/* SPDX-License-Identifier: Apache-2.0 */
/* pingpong.h - internal interface of `heddle mpi pingpong`. */
#ifndef HEDDLE_CLI_MPI_PINGPONG_H
#define HEDDLE_CLI_MPI_PINGPONG_H

#include "cli/bench/fit.h"
#include "job.h"

enum { PINGPONG_SIZES = 24 };

/* X(name, text, path): methods. */
#define PINGPONG_METHOD_LIST(X)                                                                    \
    X(PINGPONG_HOST, "host", HD_MPI_STAGED)                                                        \
    X(PINGPONG_STAGED, "staged", HD_MPI_STAGED)                                                    \
    X(PINGPONG_PEER, "peer", HD_MPI_PEER)                                                          \
    X(PINGPONG_DEVICE, "device", HD_MPI_DEVICE)                                                    \
    X(PINGPONG_LIBRARY, "library", HD_MPI_LIBRARY)

typedef enum pingpong_method {
#define PINGPONG_ENUM_(name, text, path) name,
    PINGPONG_METHOD_LIST(PINGPONG_ENUM_)
#undef PINGPONG_ENUM_
        PINGPONG_METHODS
} pingpong_method;

typedef struct pingpong_series {
    bool measured;
    double seconds[PINGPONG_SIZES]; /* one direction: median of half a round trip */
    cli_fit fit;
} pingpong_series;

typedef struct pingpong {
    mpi_job job;
    mpi_other_path other[PINGPONG_METHODS]; /* for methods with a separate path */
    int ranks[2];
    size_t runs;
    size_t sizes[PINGPONG_SIZES], size_count;
    pingpong_series series[PINGPONG_METHODS];
    uint64_t wrong; /* wrong bytes received, over all methods and sizes */
} pingpong;

const char *pingpong_method_name(pingpong_method method);
/* pingpong_print.c: on rank 0. */
/* CLI_DONE, or CLI_FAILED after a line. */
int pingpong_print(const pingpong *p);

#endif
