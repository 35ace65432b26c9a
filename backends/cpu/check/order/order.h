/* SPDX-License-Identifier: Apache-2.0 */
/* order.h - what order.c, clock.c and history.c share. */
#ifndef HEDDLE_CPU_CHECK_ORDER_H
#define HEDDLE_CPU_CHECK_ORDER_H

#include "check/check.h"
#include "observe.h"

/* Held for moments only, and under any other lock. */
extern pthread_mutex_t hd_check_order_lock;

/* ---- clocks (clock.c); without memory the program ends --------------------------------------- */

void *hd_check_must(void *memory); /* what malloc and its like gave */
int hd_check_covers(const hd_check_clock *clock, unsigned stream, uint32_t index);
void hd_check_clock_join(hd_check_clock *into, const hd_check_clock *from);
void hd_check_clock_see(hd_check_clock *clock, unsigned stream, uint32_t index);
hd_check_clock hd_check_clock_copy(const hd_check_clock *from);

/* ---- operations enqueued so far (history.c); with the lock ----------------------------------- */

uint32_t hd_check_blocks_of(const hd_cpu_op *op); /* serials that it takes */
/* Gives the operation its serials and its number. `host`: what the host has seen the end of. */
void hd_check_history_add(hd_check_op *op, const hd_check_clock *host);
/* Sets the operation's floors. *known: of its stream, all operations with lower numbers come before
   it. */
void hd_check_history_floor(hd_check_op *op, unsigned *known);
/* Events are numbered from 1 again. */
void hd_check_history_epochs_anew(void);
void hd_check_history_done(hd_check_op *op);
/* The host has seen the end of more operations, of every one if `all`. 1: nothing is left. */
int hd_check_history_seen(const hd_check_clock *host, int all);

/* ---- what launches learn from each other (learned.c); with the lock -------------------------- */

/* The operation begins: it knows what those before it have learned. */
void hd_check_recall(hd_check_op *op);
/* The operation leaves the table, whose `count` others are at `left`. */
void hd_check_pass_on(hd_check_op *op, hd_check_op *const *left, size_t count);
/* Operations to come in its stream know what this one has learned and seen. */
void hd_check_stream_learns(const hd_check_op *op);

#endif
