/* SPDX-License-Identifier: Apache-2.0 */
/* plain_peers.c - the plain loops of kernels/plain_loops.c as a peer: one thread of the host, which
   reads and writes the CPU backend's device memory directly. */
#include <stdlib.h>
#include <string.h>

#include "kernels/bench.h"
#include "peers.h"

typedef struct plain_value {
    double value, index;
} plain_value;

struct heddle_peer_reduce {
    size_t n;
    plain_value (*run)(const void *in, size_t n);
};

#define PLAIN_ADAPTORS_(text, type)                                                                \
    static plain_value sum_##text(const void *in, size_t n)                                        \
    {                                                                                              \
        plain_value v = {(double)plain_sum_##text(in, n), 0.0};                                    \
        return v;                                                                                  \
    }                                                                                              \
    static plain_value min_##text(const void *in, size_t n)                                        \
    {                                                                                              \
        plain_value v = {(double)plain_min_##text(in, n), 0.0};                                    \
        return v;                                                                                  \
    }                                                                                              \
    static plain_value argmin_##text(const void *in, size_t n)                                     \
    {                                                                                              \
        size_t index = plain_argmin_##text(in, n);                                                 \
        plain_value v = {(double)((const type *)in)[index], (double)index};                        \
        return v;                                                                                  \
    }
PLAIN_ADAPTORS_(f32, float)
PLAIN_ADAPTORS_(f64, double)
PLAIN_ADAPTORS_(i32, int32_t)

static const struct {
    const char *type, *op;
    plain_value (*run)(const void *in, size_t n);
} loops[] = {
#define PLAIN_ROWS_(text)                                                                          \
    {#text, "sum", sum_##text}, {#text, "min", min_##text}, {#text, "argmin", argmin_##text},
    PLAIN_ROWS_(f32) PLAIN_ROWS_(f64) PLAIN_ROWS_(i32)};

static int plain_interface(void)
{
    return HEDDLE_PEER_INTERFACE;
}

static const char *plain_name(void)
{
    return "plain loop (1 thread)";
}

static const char *plain_error(void)
{
    return "out of memory";
}

static int plain_bytes(int ordinal, const char *type, const char *op, size_t n,
                       size_t *workspace_bytes, size_t *result_bytes)
{
    (void)ordinal, (void)type, (void)op, (void)n;
    *workspace_bytes = 0;
    *result_bytes = sizeof(plain_value);
    return HEDDLE_PEER_OK;
}

static int plain_create(int ordinal, const char *type, const char *op, size_t n,
                        heddle_peer_reduce **peer)
{
    (void)ordinal;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        if (strcmp(loops[i].type, type) != 0 || strcmp(loops[i].op, op) != 0)
            continue;
        *peer = malloc(sizeof **peer);
        if (!*peer)
            return HEDDLE_PEER_FAILED;
        (*peer)->n = n;
        (*peer)->run = loops[i].run;
        return HEDDLE_PEER_OK;
    }
    return HEDDLE_PEER_UNSUPPORTED;
}

static int plain_run(heddle_peer_reduce *peer, const void *in, void *out, void *stream)
{
    plain_value value = peer->run(in, peer->n);

    (void)stream;
    memcpy(out, &value, sizeof value);
    return HEDDLE_PEER_OK;
}

static int plain_read(heddle_peer_reduce *peer, const void *out, void *stream, double *value,
                      double *index)
{
    plain_value result;

    (void)peer, (void)stream;
    memcpy(&result, out, sizeof result);
    *value = result.value;
    *index = result.index;
    return HEDDLE_PEER_OK;
}

static void plain_destroy(heddle_peer_reduce *peer)
{
    free(peer);
}

static int plain_launch(unsigned blocks, unsigned threads, size_t n, float a, const float *x,
                        float *y, void *stream)
{
    (void)blocks, (void)threads, (void)stream;
    plain_axpy_f32(n, a, x, y);
    return HEDDLE_PEER_OK;
}

void cli_plain_peers(cli_peers *peers)
{
    const cli_peers plain = {plain_interface, plain_name, plain_error,   plain_bytes, plain_create,
                             plain_run,       plain_read, plain_destroy, plain_launch};

    *peers = plain;
}
