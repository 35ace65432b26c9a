/* SPDX-License-Identifier: Apache-2.0 */
/* peers.h - the C interface of libheddle_peers, the optional library that holds what heddle is
   compared with: the vendor's reductions and a kernel launched without heddle. `heddle bench` loads
   it with dlopen: from HEDDLE_PEERS, else libheddle_peers.so beside the tool.

   Every function returns 0, HEDDLE_PEER_UNSUPPORTED where the peer has no such operation, or
   HEDDLE_PEER_FAILED, after which heddle_peer_error() says why in one line. `ordinal` is the
   vendor's number of the device and `stream` its own stream (hd_stream_native). Objects belong to
   one thread at a time. */
#ifndef HEDDLE_TESTS_PEERS_H
#define HEDDLE_TESTS_PEERS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HEDDLE_PEER_OK = 0,
    HEDDLE_PEER_UNSUPPORTED = 1,
    HEDDLE_PEER_FAILED = -1,
    HEDDLE_PEER_INTERFACE = 1 /* raised whenever this header changes */
};

/* Returns HEDDLE_PEER_INTERFACE as the library was compiled. */
int heddle_peer_interface(void);
/* Name and version of the reductions' library, as tables print it. */
const char *heddle_peer_name(void);
/* Why the calling thread's last call failed; never NULL. */
const char *heddle_peer_error(void);

/* ---- reductions ----------------------------------------------------------------------------- */

typedef struct heddle_peer_reduce heddle_peer_reduce;

/* Bytes of temporary device memory that reducing n elements takes, and of one result. `type` and
   `op` are hd_type_name() and hd_reduce_op_name(): "f32", "sum". */
int heddle_peer_reduce_bytes(int ordinal, const char *type, const char *op, size_t n,
                             size_t *workspace_bytes, size_t *result_bytes);
/* Makes everything that a run needs, temporary memory included, so that a run only launches. */
int heddle_peer_reduce_create(int ordinal, const char *type, const char *op, size_t n,
                              heddle_peer_reduce **peer);
/* Enqueues one reduction of the n elements at `in` to `out`, both device memory; does not wait. */
int heddle_peer_reduce_run(heddle_peer_reduce *peer, const void *in, void *out, void *stream);
/* The result at `out` as doubles: the value, and for argmin and argmax the index, else 0. Waits. */
int heddle_peer_reduce_read(heddle_peer_reduce *peer, const void *out, void *stream, double *value,
                            double *index);
void heddle_peer_reduce_destroy(heddle_peer_reduce *peer); /* NULL is allowed */

/* ---- launches ------------------------------------------------------------------------------- */

/* Launches y[i] = a * x[i] + y[i], one thread per element of n, with the vendor's own launch call,
   `blocks` blocks of `threads` threads; the twin of kernels/bench_launch.c. Does not wait. */
int heddle_peer_launch_axpy(unsigned blocks, unsigned threads, size_t n, float a, const float *x,
                            float *y, void *stream);

#ifdef __cplusplus
}
#endif
#endif
