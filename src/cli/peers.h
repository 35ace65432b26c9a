/* SPDX-License-Identifier: Apache-2.0 */
/* peers.h - what heddle is compared with: the vendor's library behind tests/peers/peers.h, or plain
   loops on the CPU, through one table of functions. */
#ifndef HEDDLE_CLI_PEERS_H
#define HEDDLE_CLI_PEERS_H

#include "../../tests/peers/peers.h"

/* X(name): the functions of tests/peers/peers.h. */
#define CLI_PEER_LIST(X)                                                                           \
    X(interface)                                                                                   \
    X(name)                                                                                        \
    X(error)                                                                                       \
    X(reduce_bytes)                                                                                \
    X(reduce_create)                                                                               \
    X(reduce_run)                                                                                  \
    X(reduce_read)                                                                                 \
    X(reduce_destroy)                                                                              \
    X(launch_axpy)

typedef struct cli_peers {
#define CLI_PEER_POINTER_(what) __typeof__(&heddle_peer_##what) what;
    CLI_PEER_LIST(CLI_PEER_POINTER_)
#undef CLI_PEER_POINTER_
} cli_peers;

/* Loads the library, from HEDDLE_PEERS or from beside the tool; on the CPU backend takes the plain
   loops unless HEDDLE_PEERS names a library. 0, or -1 with a line in message. */
int cli_peers_load(cli_peers *peers, char *message, unsigned long size);

/* The plain loops behind the same table. */
void cli_plain_peers(cli_peers *peers);

#endif
