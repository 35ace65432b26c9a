/* SPDX-License-Identifier: Apache-2.0 */
/* p2p.h - internal interface of `heddle p2p`. */
#ifndef HEDDLE_CLI_LINKS_P2P_H
#define HEDDLE_CLI_LINKS_P2P_H

#include <heddle/peer.h>

#include "cli/app/devices.h"
#include "cli/bench/fit.h"
#include "cli/app/output.h"

/* X(name, text, what): methods to transfer bytes from one device to another. */
#define P2P_METHOD_LIST(X)                                                                         \
    X(P2P_COPY, "copy", "hd_transfer: the copy engine, or staged")                                 \
    X(P2P_READ, "read", "a kernel of the target loads from the source")                            \
    X(P2P_WRITE, "write", "a kernel of the source stores to the target")

typedef enum p2p_method {
#define P2P_ENUM_(name, text, what) name,
    P2P_METHOD_LIST(P2P_ENUM_)
#undef P2P_ENUM_
        P2P_METHOD_COUNT
} p2p_method;

enum { P2P_SIZES = 32, P2P_RUNS_MAX = 1001 };

/* From one device to another, by one method. */
typedef struct p2p_series {
    int measured; /* 0: kernels would need peer access */
    double seconds[P2P_SIZES];
    cli_fit fit;
    double both; /* seconds for the largest size in both directions at once */
} p2p_series;

/* Many pairs at once, with the largest size. */
typedef struct p2p_crowd {
    unsigned flows; /* 0: not measured */
    double seconds;
} p2p_crowd;

typedef struct p2p {
    const cli_arguments *arguments;
    cli_format format;
    cli_devices devices;
    size_t runs;
    unsigned methods; /* bits */
    size_t sizes[P2P_SIZES], size_count;
    hd_peer_info *pairs;                  /* count x count */
    p2p_series *series[P2P_METHOD_COUNT]; /* count x count */
    double *pingpong; /* count x count: seconds in one direction; 0: not measured */
    p2p_crowd ring[P2P_METHOD_COUNT], all[P2P_METHOD_COUNT];
    char wrong[160]; /* first data error; "": none */
} p2p;

const char *p2p_method_name(p2p_method method);
const char *p2p_method_what(p2p_method method);

static inline size_t p2p_at(const p2p *p, unsigned from, unsigned to)
{
    return (size_t)from * p->devices.count + to;
}

static inline size_t p2p_largest(const p2p *p)
{
    return p->sizes[p->size_count - 1];
}

/* Each returns CLI_DONE, or an exit status after a line. */
int p2p_measure(p2p *p);                      /* p2p_run.c */
int p2p_print(const p2p *p);                  /* p2p_print.c */
int p2p_draw(const p2p *p, const char *path); /* p2p_draw.c: heat maps */

#endif
