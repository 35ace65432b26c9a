/* SPDX-License-Identifier: Apache-2.0 */
/* kind.c - names of the kinds of spans. */
#include <heddle/trace.h>

const char *hd_trace_kind_name(hd_trace_kind kind)
{
    static const char *const names[HD_TRACE_KINDS_] = {
        "copy in", "copy out", "copy on device", "copy peer", "copy on host", "fill", "kernel",
        "graph",   "function", "wait",           "call",      "range",        "mark"};
    return (unsigned)kind < HD_TRACE_KINDS_ ? names[kind] : "unknown";
}
