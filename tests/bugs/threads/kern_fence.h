/* SPDX-License-Identifier: Apache-2.0 */
/* kern_fence.h - declares the kernels of kern_fence.c and what they may do wrong. */
#ifndef HEDDLE_TESTS_BUGS_FENCE_H
#define HEDDLE_TESTS_BUGS_FENCE_H

#include "zoo_kernel.h"

/* How a block says that its data is there; 0 is right. */
enum {
    FENCE_RELAXED = 1, /* without a fence */
    FENCE_BLOCK,       /* a fence that reaches the block only */
    FENCE_AFTER,       /* the fence behind the flag */
    FENCE_PLAIN,       /* a plain store of the flag */
    FENCE_SCOPE,       /* a release that reaches the block only */
    FENCE_WAIT         /* a wait that reaches the block only */
};
/* How blocks draw the ticket that says who is last. */
enum {
    TICKET_RELAXED = 1, /* without any order */
    TICKET_RELEASE,     /* the last block does not acquire */
    TICKET_ACQUIRE,     /* the others do not release */
    TICKET_EARLY        /* before all threads of the block have written */
};

/* What is wrong with fences of all threads. */
enum {
    FENCES_WRITER = 1, /* one thread fences for the block */
    FENCES_READER      /* the last block does not */
};
/* What is wrong about a row that a block passes to the next one. */
enum {
    ROW_EARLY = 1, /* announced before all threads have written */
    ROW_READER     /* read by threads that have not waited for it */
};

ZOO_KERNEL_SCRATCH(fence_relay)
ZOO_KERNEL_SCRATCH(fence_replaced)
ZOO_KERNEL_SCRATCH(fence_twice)
ZOO_KERNEL_SCRATCH(fence_ticket)
ZOO_KERNEL_SCRATCH(fence_threads)
ZOO_KERNEL_SCRATCH(fence_row)
ZOO_KERNEL_SCRATCH(fence_lock)

#endif
