/* SPDX-License-Identifier: Apache-2.0 */
/* vendor.h - the vendor libraries for comparison: the functions of peers.h, loaded on first use. */
#ifndef HEDDLE_CLI_BENCH_VENDOR_H
#define HEDDLE_CLI_BENCH_VENDOR_H

#include "peers.h"

/* X(name): the functions of src/cli/bench/peers.h. */
#define CLI_PEER_LIST(X)                                                                           \
    X(interface)                                                                                   \
    X(error)                                                                                       \
    X(open)                                                                                        \
    X(library)                                                                                     \
    X(run)                                                                                         \
    X(values)                                                                                      \
    X(close)                                                                                       \
    X(launch_axpy)

typedef struct cli_peers {
#define CLI_PEER_POINTER_(what) __typeof__(&heddle_peer_##what) what;
    CLI_PEER_LIST(CLI_PEER_POINTER_)
#undef CLI_PEER_POINTER_
} cli_peers;

/* Loads the library, from HEDDLE_PEERS or from the tool's folder. 0, or -1 with a line in
   message. */
int cli_peers_load(cli_peers *peers, char *message, unsigned long size);
/* Whether HEDDLE_PEERS is set. */
int cli_peers_named(void);

#endif
