/* SPDX-License-Identifier: Apache-2.0 */
/* model.c - when operations of streams run. */
#include "model.h"

enum { ENGINES = 3, OPS_MAX = 64 };

static int engine_of(op_kind kind, int copy_engines)
{
    return kind == OP_KERNEL ? 0 : kind == OP_IN || copy_engines == 1 ? 1 : 2;
}

/* When everything has ended that an operation waits for; -1: not known yet. */
static int ready(const op *ops, int i, const span *spans, const int *known)
{
    int time = 0, record = -1;

    for (int j = 0; j < i; j++) {
        int before = ops[j].stream == ops[i].stream || ops[j].stream == 0 || ops[i].stream == 0;

        if (ops[i].kind == OP_WAIT && ops[j].kind == OP_RECORD && ops[j].event == ops[i].event)
            record = j;
        if (before && !known[j])
            return -1;
        if (before && spans[j].end > time)
            time = spans[j].end;
    }
    if (record >= 0 && !known[record])
        return -1;
    return record >= 0 && spans[record].end > time ? spans[record].end : time;
}

/* Of all operations that are ready, the one that can start first takes its engine. */
void predict(const op *ops, int count, int copy_engines, span *spans)
{
    int known[OPS_MAX] = {0}, engine[ENGINES] = {0};

    for (int left = count; left > 0; left--) {
        int next = -1, when = 0;

        for (int i = 0; i < count; i++) {
            int time = known[i] ? -1 : ready(ops, i, spans, known);

            if (time < 0)
                continue;
            if (ops[i].cost > 0 && engine[engine_of(ops[i].kind, copy_engines)] > time)
                time = engine[engine_of(ops[i].kind, copy_engines)];
            if (next < 0 || time < when) {
                next = i;
                when = time;
            }
        }
        known[next] = 1;
        spans[next].start = when;
        spans[next].end = when + ops[next].cost;
        if (ops[next].cost > 0)
            engine[engine_of(ops[next].kind, copy_engines)] = spans[next].end;
    }
}
