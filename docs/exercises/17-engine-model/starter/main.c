/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - compares predictions with a simulation of the engines, step by step in time. The
   argument is the level, 1 to 5: which rules the cases need. Without one, all levels are tried. */
#include "exercise.h"
#include "model.h"

enum { OPS_MAX = 24, CASES = 300, LEVELS = 5 };

static const char *const kind_name[] = {"copy in", "kernel", "copy out", "record", "wait"};

/* ---- the simulation ------------------------------------------------------------------------- */

static int uses_engine(const op *o)
{
    return o->kind != OP_RECORD && o->kind != OP_WAIT;
}

static int same_engine(const op *a, const op *b, int copy_engines)
{
    if (!uses_engine(a) || !uses_engine(b))
        return 0;
    if (a->kind == OP_KERNEL || b->kind == OP_KERNEL)
        return a->kind == b->kind;
    return copy_engines == 1 || a->kind == b->kind;
}

/* The last record of the event that was issued before the wait; -1: none. */
static int record_before(const op *ops, int wait)
{
    for (int i = wait - 1; i >= 0; i--)
        if (ops[i].kind == OP_RECORD && ops[i].event == ops[wait].event)
            return i;
    return -1;
}

/* Whether an operation has to wait for an earlier one. */
static int comes_after(const op *ops, int later, int earlier, int copy_engines)
{
    const op *a = &ops[earlier], *b = &ops[later];

    return a->stream == b->stream || a->stream == 0 || b->stream == 0 ||
           same_engine(a, b, copy_engines) ||
           (b->kind == OP_WAIT && record_before(ops, later) == earlier);
}

/* At every time, starts what may start, until nothing more does. */
static void simulate(const op *ops, int count, int copy_engines, span *spans)
{
    int started[OPS_MAX] = {0}, left = count;

    for (int now = 0; left > 0; now++)
        for (int again = 1; again;) {
            again = 0;
            for (int i = 0; i < count; i++) {
                int free = !started[i];

                for (int j = 0; j < i && free; j++)
                    if (comes_after(ops, i, j, copy_engines))
                        free = started[j] && spans[j].end <= now;
                if (!free)
                    continue;
                spans[i].start = now;
                spans[i].end = now + ops[i].cost;
                started[i] = 1;
                left--;
                again = 1;
            }
        }
}

/* ---- cases ---------------------------------------------------------------------------------- */

static unsigned draw(uint32_t *state, unsigned limit)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 16) % limit;
}

/* Level 1: one stream. 2: several. 3: also one copy engine. 4: also events. 5: also the default
   stream. */
static int make(op *ops, int level, uint32_t *state)
{
    int count = 3 + (int)draw(state, OPS_MAX - 2);

    for (int i = 0; i < count; i++) {
        op *o = &ops[i];

        o->kind = (op_kind)draw(state, level >= 4 ? 5 : 3);
        o->stream = level == 1 ? 1 : 1 + (int)draw(state, STREAMS - 1);
        if (level >= 5 && uses_engine(o) && draw(state, 5) == 0)
            o->stream = 0;
        o->event = uses_engine(o) ? 0 : (int)draw(state, EVENTS);
        o->cost = uses_engine(o) ? 1 + (int)draw(state, 5) : 0;
    }
    return count;
}

static void show(const op *ops, int count, const span *expected, const span *got)
{
    fprintf(stderr, "  %-12s%-10s%-8s%-6s%-12s%s\n", "operation", "stream", "event", "cost",
            "expected", "predicted");
    for (int i = 0; i < count; i++) {
        char event[12] = "";

        if (!uses_engine(&ops[i]))
            snprintf(event, sizeof event, "%d", ops[i].event);
        fprintf(stderr, "  %-12s%-10d%-8s%-6d%3d to %-5d%3d to %d%s\n", kind_name[ops[i].kind],
                ops[i].stream, event, ops[i].cost, expected[i].start, expected[i].end, got[i].start,
                got[i].end,
                expected[i].start == got[i].start && expected[i].end == got[i].end ? "" : "  <--");
    }
}

/* Returns 1 after a message if a prediction is wrong. */
static int compare(const op *ops, int count, int engines, int level, int number)
{
    span expected[OPS_MAX], got[OPS_MAX];

    simulate(ops, count, engines, expected);
    for (int i = 0; i < count; i++)
        got[i] = (span){-1, -1};
    predict(ops, count, engines, got);
    for (int i = 0; i < count; i++)
        if (expected[i].start != got[i].start || expected[i].end != got[i].end) {
            (void)exercise_wrong("level %d, case %d (copy engines: %d): the %s that is issued as "
                                 "number %d runs from %d to %d, expected %d to %d",
                                 level, number, engines, kind_name[ops[i].kind], i + 1,
                                 got[i].start, got[i].end, expected[i].start, expected[i].end);
            show(ops, count, expected, got);
            return 1;
        }
    return 0;
}

static int try_level(int level)
{
    uint32_t state = (uint32_t)level;
    op ops[OPS_MAX];

    for (int number = 1; number <= CASES; number++) {
        int count = make(ops, level, &state);

        if (compare(ops, count, level >= 3 ? 1 + number % 2 : 2, level, number))
            return 1;
    }
    fprintf(stderr, "level %d: %d cases, all right\n", level, CASES);
    return 0;
}

int main(int argc, char **argv)
{
    size_t only = exercise_size(argc, argv, 0);

    if (only > LEVELS) {
        fprintf(stderr, "error: no level %zu: there are %d\n", only, LEVELS);
        return 2;
    }
    for (int level = 1; level <= LEVELS; level++)
        if ((only == 0 || only == (size_t)level) && try_level(level))
            return 1;
    return 0;
}
