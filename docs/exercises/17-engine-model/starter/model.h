/* SPDX-License-Identifier: Apache-2.0 */
/* model.h - operations of streams, and when they run. */
#ifndef EXERCISE_MODEL_H
#define EXERCISE_MODEL_H

typedef enum op_kind {
    OP_IN,     /* copy to the device */
    OP_KERNEL, /* computes */
    OP_OUT,    /* copy back to the host */
    OP_RECORD, /* of an event: takes no time and no engine */
    OP_WAIT    /* for an event: takes no time and no engine */
} op_kind;

typedef struct op {
    op_kind kind;
    int stream; /* 0: the legacy default stream; 1 to STREAMS - 1: others */
    int event;  /* of OP_RECORD and OP_WAIT: 0 to EVENTS - 1 */
    int cost;   /* units of time: at least 1, of OP_RECORD and OP_WAIT 0 */
} op;

enum { STREAMS = 5, EVENTS = 4 };

/* When an operation starts and ends. */
typedef struct span {
    int start, end;
} span;

/* Computes the spans of operations that the host issues in this order, all at time 0. Copy engines:
   2 (one for each direction) or 1 (for both). */
void predict(const op *ops, int count, int copy_engines, span *spans);

#endif
