/* SPDX-License-Identifier: Apache-2.0 */
/* order.h - shared by order.c, clock.c and history.c. */
#ifndef HEDDLE_CPU_CHECK_ORDER_H
#define HEDDLE_CPU_CHECK_ORDER_H

#include "check/check.h"
#include "observe.h"

/* ---- streams and the host (order.c) ---------------------------------------------------------- */

/* Gives the operation its position in the order of its stream; op->check is NULL for a record or
   wait. */
void hd_check_order_enqueue(hd_cpu_op *op);
/* A host function begins; an operation is done. */
void hd_check_order_execute(hd_check_op *function);
void hd_check_order_finish(hd_check_op *op);
/* The host has synchronised with the stream, mark or device. 1: no operation is running. With
   hd_cpu.lock held no operation can begin, so that none needs the history that is then dropped. */
int hd_check_order_join_stream(const hd_cpu_stream *stream);
int hd_check_order_join_mark(const hd_cpu_mark *mark);
int hd_check_order_join_device(int device);

/* ---- clocks (clock.c); without memory the program ends --------------------------------------- */

void *hd_check_must(void *memory); /* the result of malloc etc.; NULL ends the program */
int hd_check_covers(const hd_check_clock *clock, unsigned stream, uint32_t index);
void hd_check_clock_join(hd_check_clock *into, const hd_check_clock *from);
void hd_check_clock_see(hd_check_clock *clock, unsigned stream, uint32_t index);
hd_check_clock hd_check_clock_copy(const hd_check_clock *from);

/* ---- operations enqueued so far (history.c); with the lock held ------------------------------ */

uint32_t hd_check_blocks_of(const hd_cpu_op *op); /* number of serials that it takes */
/* Assigns the operation's serials and number. `host`: the operations that the host has synchronised
   with. */
void hd_check_history_add(hd_check_op *op, const hd_check_clock *host);
/* Sets the operation's floors. *known: all operations with lower numbers are ordered before the
   stream's next operation. */
void hd_check_history_floor(hd_check_op *op, unsigned *known);
/* Epoch numbers start from 1 again. */
void hd_check_history_epochs_anew(void);
void hd_check_history_done(hd_check_op *op);
/* The host has synchronised with more operations, with all of them if `all`. 1: none is left. */
int hd_check_history_seen(const hd_check_clock *host, int all);

/* Makes room for the operation's serials, without the lock. 0: serials start anew, and records with
   old serials must be wiped. */
int hd_check_history_room(const hd_cpu_op *op);

/* ---- knowledge passed between launches (history.c, learned.c); with the lock held ------------ */

/* Called before the operation learns or sees anything. */
void hd_check_learner_add(hd_check_op *op);
/* The operation begins: receives the knowledge of the operations ordered before it. */
void hd_check_recall(hd_check_op *op);
/* Later operations of its stream know what this one has learned and seen. */
void hd_check_stream_learns(const hd_check_op *op);

#endif
