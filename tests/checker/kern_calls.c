/* SPDX-License-Identifier: Apache-2.0 */
/* kern_calls.c - threads of one block call a function with a barrier from two sides of a branch;
   between the two calls another block meets at barriers that it reaches by thousands of call paths.
   Two blocks of 64 threads. */
#include <heddle/kernel.h>

#include "kern_calls.h"

enum { DEPTH = 8, PATHS = 6561 /* 3 to the power of DEPTH */ };

/* A barrier, behind one of 3^depth call paths. The results differ so that compilers merge no two
   calls. */
static unsigned __attribute__((noinline)) walk(unsigned path, unsigned depth)
{
    unsigned result = path;

    if (depth == 0)
        hd_sync_block();
    else if (path % 3 == 0)
        result = walk(path / 3, depth - 1) + 1;
    else if (path % 3 == 1)
        result = walk(path / 3, depth - 1) * 3;
    else
        result = walk(path / 3, depth - 1) ^ 5;
    return result;
}

static unsigned __attribute__((noinline)) meet(unsigned v)
{
    hd_sync_block();
    return v + 1;
}

HD_KERNEL void calls_late(unsigned *out, unsigned *flag)
{
    unsigned v = hd_thread_x();

    if (hd_block_x() == 1) {
        for (unsigned path = 0; path < PATHS; path++)
            v += walk(path, DEPTH);
        if (hd_thread_x() == 0)
            hd_store_release(flag, 1u);
    } else if (hd_thread_x() % 2 == 0) {
        v = meet(v) * 2; /* EARLY */
    } else {
        (void)hd_wait_ne(flag, 0u);
        v = meet(v + 1); /* LATE */
    }
    out[hd_global_x()] = v;
}
HD_DEFINE(calls_late)
