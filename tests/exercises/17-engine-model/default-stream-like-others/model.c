/* SPDX-License-Identifier: Apache-2.0 */
/* model.c - when operations of streams run. */
#include "model.h"

enum { ENGINES = 3 };

static int later(int a, int b)
{
    return a > b ? a : b;
}

/* 0 computes, 1 copies in, 2 copies out; with one copy engine 1 does both. */
static int engine_of(op_kind kind, int copy_engines)
{
    return kind == OP_KERNEL ? 0 : kind == OP_IN || copy_engines == 1 ? 1 : 2;
}

/* An operation starts when its stream and its engine are free. */
void predict(const op *ops, int count, int copy_engines, span *spans)
{
    int stream[STREAMS] = {0}, engine[ENGINES] = {0}, event[EVENTS] = {0};

    for (int i = 0; i < count; i++) {
        const op *o = &ops[i];
        int *mine = &stream[o->stream];
        int start = *mine;

        if (o->kind == OP_WAIT) {
            start = later(start, event[o->event]);
        } else if (o->kind == OP_RECORD) {
            event[o->event] = start; /* a later record replaces it for later waits */
        } else {
            int *busy = &engine[engine_of(o->kind, copy_engines)];

            start = later(start, *busy);
            *busy = start + o->cost;
        }
        spans[i].start = start;
        spans[i].end = start + o->cost;
        *mine = spans[i].end;
    }
}
