/* SPDX-License-Identifier: Apache-2.0 */
/* peers.h - the C interface of libheddle_peers, the optional library that holds what heddle is
   compared with: the vendor's primitives, each a case with a name, and a kernel launched without
   heddle. `heddle bench` loads it with dlopen: from HEDDLE_PEERS, else libheddle_peers.so beside
   the tool.

   Every function returns 0, HEDDLE_PEER_UNSUPPORTED where the peer has no such operation, or
   HEDDLE_PEER_FAILED, after which heddle_peer_error() says why in one line. `stream` is the
   vendor's own stream (hd_stream_native). Objects belong to one thread at a time. */
#ifndef HEDDLE_CLI_BENCH_PEERS_H
#define HEDDLE_CLI_BENCH_PEERS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HEDDLE_PEER_OK = 0,
    HEDDLE_PEER_UNSUPPORTED = 1,
    HEDDLE_PEER_FAILED = -1,
    HEDDLE_PEER_INTERFACE = 3, /* raised whenever this header changes */
    HEDDLE_PEER_NUMBERS = 4
};

/* Returns HEDDLE_PEER_INTERFACE as the library was compiled. */
int heddle_peer_interface(void);
/* Why the calling thread's last call failed; never NULL. */
const char *heddle_peer_error(void);

/* ---- cases ---------------------------------------------------------------------------------- */

typedef struct heddle_peer_arguments {
    int ordinal;         /* the vendor's number of the device */
    const char *type;    /* hd_type_name(): "f32" */
    const char *variant; /* what the case makes of it, as "sum"; "" for none */
    size_t n;
    size_t sizes[HEDDLE_PEER_NUMBERS]; /* what the case makes of them, as rows and columns */
    double numbers[HEDDLE_PEER_NUMBERS];
} heddle_peer_arguments;

typedef struct heddle_peer heddle_peer;

/* Makes everything that a run of the case `name` needs, temporary memory included, so that a run
   only launches. */
int heddle_peer_open(const char *name, const heddle_peer_arguments *arguments,
                     heddle_peer **peer_out);
/* Name and version of the library behind the case, as tables print it. */
const char *heddle_peer_library(const heddle_peer *peer);
/* Enqueues one run from the arrays at `in` to those at `out`, all device memory; does not wait. */
int heddle_peer_run(heddle_peer *peer, void *const *in, void *const *out, void *stream);
/* What a run has left at `out` as doubles, as many as the case defines and `count` at most. Waits.
   HEDDLE_PEER_UNSUPPORTED where a case gives no numbers. */
int heddle_peer_values(heddle_peer *peer, void *const *out, void *stream, double *values,
                       size_t count);
void heddle_peer_close(heddle_peer *peer); /* NULL is allowed */

/* ---- launches ------------------------------------------------------------------------------- */

/* Launches y[i] = a * x[i] + y[i], one thread per element of n, with the vendor's own launch call,
   `blocks` blocks of `threads` threads; the twin of kernels/bench_launch.c. Does not wait. */
int heddle_peer_launch_axpy(unsigned blocks, unsigned threads, size_t n, float a, const float *x,
                            float *y, void *stream);

#ifdef __cplusplus
}
#endif
#endif
