/* SPDX-License-Identifier: Apache-2.0 */
/* kern_scan.h - scans of a user's own types: maps of 12 bytes, and brackets of 16. */
#ifndef KERN_SCAN_H
#define KERN_SCAN_H

#include <heddle/scan.h>

#include "kern_look_back.h"

/* A text of brackets: what it closes and what it opens beyond that; and 8 bytes more. */
typedef struct HD_ALIGN(8) scan_brackets {
    uint32_t closes, opens;
    double weight;
} scan_brackets;

HD_BOTH scan_brackets scan_brackets_join(scan_brackets a, scan_brackets b)
{
    const uint32_t matched = a.opens < b.closes ? a.opens : b.closes;
    scan_brackets r;
    r.closes = a.closes + b.closes - matched;
    r.opens = a.opens + b.opens - matched;
    r.weight = a.weight + b.weight;
    return r;
}

HD_DECLARE_SCAN(kern_scan_map)
HD_DECLARE_SCAN(kern_scan_brackets)

#endif
