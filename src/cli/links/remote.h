/* SPDX-License-Identifier: Apache-2.0 */
/* remote.h - internal interface of `heddle remote`. */
#ifndef HEDDLE_CLI_LINKS_REMOTE_H
#define HEDDLE_CLI_LINKS_REMOTE_H

#include <heddle/peer.h>

#include "cli/app/devices.h"
#include "cli/app/output.h"
#include "cli/bench/timing.h"

/* X(name, text, kind, remote): memory that the first device accesses; remote: the second device
   owns it. */
#define REMOTE_PLACE_LIST(X)                                                                       \
    X(REMOTE_LOCAL, "device, own", HD_MEM_DEVICE, 0)                                               \
    X(REMOTE_DEVICE, "device, other's", HD_MEM_DEVICE, 1)                                          \
    X(REMOTE_COHERENT, "coherent, other's", HD_MEM_COHERENT, 1)                                    \
    X(REMOTE_MANAGED_LOCAL, "managed, own", HD_MEM_MANAGED, 0)                                     \
    X(REMOTE_MANAGED, "managed, other's", HD_MEM_MANAGED, 1)                                       \
    X(REMOTE_MAPPED_LOCAL, "mapped, own", HD_MEM_MAPPED, 0)                                        \
    X(REMOTE_MAPPED, "mapped, other's", HD_MEM_MAPPED, 1)

typedef enum remote_place {
#define REMOTE_ENUM_(name, text, kind, remote) name,
    REMOTE_PLACE_LIST(REMOTE_ENUM_)
#undef REMOTE_ENUM_
        REMOTE_PLACE_COUNT
} remote_place;

/* 0: not measured */
typedef struct remote_row {
    char why_not[160];      /* "": measured */
    double load, store;     /* bytes per second */
    double atomics, shared; /* additions per second: to separate cells, and to a single cell */
    double latency;         /* seconds of a load that depends on the previous one */
} remote_row;

/* Seconds: one heavy kernel alone, two on one device, one on each of two devices. */
typedef struct remote_heavy {
    double alone, together, apart;
} remote_heavy;

typedef struct remote {
    const cli_arguments *arguments;
    cli_format format;
    cli_devices devices; /* the accessing device, the owner */
    size_t bytes;
    size_t runs;
    hd_peer_info pair;
    remote_row rows[REMOTE_PLACE_COUNT];
    remote_heavy heavy;
    timing timing;
    char wrong[160]; /* first data error; "": none */
} remote;

const char *remote_place_name(remote_place place);

/* CLI_DONE, or an exit status after a line. */
int remote_measure(remote *r);             /* remote_run.c */
hd_status remote_measure_heavy(remote *r); /* remote_heavy.c */

#endif
