/* SPDX-License-Identifier: Apache-2.0 */
/* kern_scan.c - scans of a user's own types. */
#include <heddle/kernel.h>

#include "kern_scan.h"

#define HD_SCAN_NAME kern_scan_map
#define HD_SCAN_T look_map
#define HD_SCAN_JOIN(a, b) look_map_join(a, b)
#define HD_SCAN_EXACT 1
#include <heddle/device/scan.inc>

#define HD_SCAN_NAME kern_scan_brackets
#define HD_SCAN_T scan_brackets
#define HD_SCAN_JOIN(a, b) scan_brackets_join(a, b)
#include <heddle/device/scan.inc>
