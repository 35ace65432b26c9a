/* SPDX-License-Identifier: Apache-2.0 */
/* bug_poll.c - loops that poll: shapes of the launches and their results. */
#include "kern_poll.h"
#include "zoo.h"

enum { N = 128, BLOCKS = 12 };

RUN_SCRATCH(poll_acquire, poll_acquire, 1, x(0), 2, N, 0, 0, 1)
RUN_SCRATCH(poll_volatile, poll_volatile, 1, x(0), 2, N, 0, 0, 1)
RUN_SCRATCH(poll_lock, poll_lock, 1, x(0), 3, N, 0, 0, 1)
RUN_SCRATCH(poll_shared, poll_shared, 1, x(i), 2, N, 0, 0, 2)
RUN_SCRATCH(poll_together, poll_together, 1, x(i), 2, N, 0, 0, N)
RUN_SCRATCH(poll_turns, poll_turns, 1, x(0), 2, N, 0, 0, 1)
RUN_SCRATCH(poll_limit, poll_limit, 1, x(0), 2, N, 0, 0, 1)
RUN_SCRATCH(poll_pointer, poll_pointer, 1, x(0), 2, N, 0, 0, 1)
RUN_SCRATCH(poll_lanes, poll_lanes, 1, x(i), 2, N, 0, 0, N)
RUN_SCRATCH(poll_blocks, poll_blocks, 1, x(i), BLOCKS, 64, 0, 0, BLOCKS)
RUN_SCRATCH(poll_first, poll_first, 1, x(0), 2, N, 0, 0, 1)
RUN_SCRATCH(poll_locks, poll_locks, 1, x(0), 3, N, 0, 0, 1)
