/* SPDX-License-Identifier: Apache-2.0 */
/* vendor.h - the vendor libraries for comparison: the functions of vendor_interface.h, loaded on
   first use. */
#ifndef HEDDLE_CLI_BENCH_VENDOR_H
#define HEDDLE_CLI_BENCH_VENDOR_H

#include "vendor_interface.h"

/* X(name): the functions of src/cli/bench/vendor_interface.h. */
#define CLI_VENDOR_LIST(X)                                                                         \
    X(interface)                                                                                   \
    X(error)                                                                                       \
    X(open)                                                                                        \
    X(library)                                                                                     \
    X(run)                                                                                         \
    X(values)                                                                                      \
    X(close)                                                                                       \
    X(launch_axpy)

typedef struct cli_vendor {
#define CLI_VENDOR_POINTER_(what) __typeof__(&heddle_vendor_##what) what;
    CLI_VENDOR_LIST(CLI_VENDOR_POINTER_)
#undef CLI_VENDOR_POINTER_
} cli_vendor;

/* Loads the library, from HEDDLE_VENDOR (old name: HEDDLE_PEERS) or from the tool's folder. 0, or
   -1 with a line in message. */
int cli_vendor_load(cli_vendor *vendor, char *message, unsigned long size);
/* Whether the environment names a library. */
int cli_vendor_named(void);

#endif
