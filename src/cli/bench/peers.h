/* SPDX-License-Identifier: Apache-2.0 */
/* peers.h - the C interface of libheddle_peers, the optional library that wraps what heddle is
   compared with: the vendor's primitives, each a named case, and a kernel launched without heddle.
   `heddle bench` loads it with dlopen: from HEDDLE_PEERS, otherwise libheddle_peers.so next to the
   tool.

   Every function returns 0, HEDDLE_PEER_UNSUPPORTED if the library has no such operation, or
   HEDDLE_PEER_FAILED, after which heddle_peer_error() returns the reason in one line. `stream` is
   the vendor's own stream (hd_stream_native). Objects belong to one thread at a time. */
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
    HEDDLE_PEER_INTERFACE = 3, /* incremented whenever this header changes */
    HEDDLE_PEER_NUMBERS = 4
};

/* HEDDLE_PEER_INTERFACE when the library was compiled. */
int heddle_peer_interface(void);
/* Why the calling thread's last call failed; never NULL. */
const char *heddle_peer_error(void);

/* ---- cases ---------------------------------------------------------------------------------- */

typedef struct heddle_peer_arguments {
    int ordinal;         /* the vendor's number of the device */
    const char *type;    /* hd_type_name(): "f32" */
    const char *variant; /* interpreted by the case, such as "sum"; "": none */
    size_t n;
    size_t sizes[HEDDLE_PEER_NUMBERS]; /* interpreted by the case, such as rows and columns */
    double numbers[HEDDLE_PEER_NUMBERS];
} heddle_peer_arguments;

typedef struct heddle_peer heddle_peer;

/* Prepares everything that a run of the case `name` needs, including temporary memory, so that a
   run only launches. */
int heddle_peer_open(const char *name, const heddle_peer_arguments *arguments,
                     heddle_peer **peer_out);
/* Name and version of the library behind the case, as tables print it. */
const char *heddle_peer_library(const heddle_peer *peer);
/* Enqueues one run from the arrays at `in` to those at `out`, all device memory; does not wait. */
int heddle_peer_run(heddle_peer *peer, void *const *in, void *const *out, void *stream);
/* The outputs of a run at `out` as doubles, as many as the case defines and at most `count`. Waits.
   HEDDLE_PEER_UNSUPPORTED if a case has no such numbers. */
int heddle_peer_values(heddle_peer *peer, void *const *out, void *stream, double *values,
                       size_t count);
void heddle_peer_close(heddle_peer *peer); /* NULL is allowed */

/* ---- launches ------------------------------------------------------------------------------- */

/* Launches y[i] = a * x[i] + y[i], one thread per element of n, with the vendor's own launch call,
   `blocks` blocks of `threads` threads; same kernel as kernels/launch.c. Does not wait. */
int heddle_peer_launch_axpy(unsigned blocks, unsigned threads, size_t n, float a, const float *x,
                            float *y, void *stream);

#ifdef __cplusplus
}
#endif
#endif
