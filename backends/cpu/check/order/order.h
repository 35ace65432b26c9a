/* SPDX-License-Identifier: Apache-2.0 */
/* order.h - what order.c, clock.c and history.c share. */
#ifndef HEDDLE_CPU_CHECK_ORDER_H
#define HEDDLE_CPU_CHECK_ORDER_H

#include "check/check.h"
#include "observe.h"

/* ---- streams and the host (order.c) ---------------------------------------------------------- */

/* The operation gets its place in the order of its stream; its `check` is NULL for a record or a
   wait. */
void hd_check_order_enqueue(hd_cpu_op *op);
/* A host function begins; an operation is done. */
void hd_check_order_execute(hd_check_op *function);
void hd_check_order_finish(hd_check_op *op);
/* The host knows from now on that all of it is done. 1: nothing is under way any more. Under
   hd_cpu.lock nothing can begin, so that nobody needs what is forgotten then. */
int hd_check_order_join_stream(const hd_cpu_stream *stream);
int hd_check_order_join_mark(const hd_cpu_mark *mark);
int hd_check_order_join_device(int device);

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

/* Makes room for the operation's serials, without the lock. 0: they begin anew, and what records
   name by the old ones has to be forgotten. */
int hd_check_history_room(const hd_cpu_op *op);

/* ---- what launches learn from each other (history.c, learned.c); with the lock --------------- */

/* Before the operation learns or sees anything. */
void hd_check_learner_add(hd_check_op *op);
/* The operation begins: it knows what those before it have learned. */
void hd_check_recall(hd_check_op *op);
/* Operations to come in its stream know what this one has learned and seen. */
void hd_check_stream_learns(const hd_check_op *op);

#endif
