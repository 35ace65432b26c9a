/* SPDX-License-Identifier: Apache-2.0 */
/* scan.h - a call of `heddle scan`, and its check. */
#ifndef HEDDLE_CLI_PRIMITIVES_SCAN_H
#define HEDDLE_CLI_PRIMITIVES_SCAN_H

#include <heddle/scan.h>
#include <heddle/select.h>

#include "cli/input/array.h"

typedef struct cli_scan_call {
    cli_array array;
    cli_array heads; /* u8; data NULL: one segment */
    size_t algorithm;
    hd_reduce_op op;
    hd_scan_kind kind;
    int begins; /* --initial was given */
    hd_scalar initial;
    void *in, *dev_heads, *out; /* on the device */
    void *result;
} cli_scan_call;

/* Scans on the host, element by element: returns the first wrong element, or array.n. Sums of
   floats are compared with sums in double-double, within rounding. */
size_t cli_scan_check(const cli_scan_call *call);

#endif
