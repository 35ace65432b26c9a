/* SPDX-License-Identifier: Apache-2.0 */
/* model.c - when each operation runs. An operation may begin when everything that it waits for has
   ended: its predecessor in the stream; through events, the work that their streams had when they
   were recorded; on the legacy default stream, all work issued earlier to blocking streams, and
   vice versa; and the host has issued it. Then it waits for its engine, which executes one
   operation at a time. */
#include "quiz.h"

#include <string.h>

/* Engines, and operations that need none. */
enum { ENGINE_IN, ENGINE_OUT, ENGINE_COMPUTE, ENGINE_HOST, ENGINES, NO_ENGINE };

typedef struct model {
    const quiz *q;
    const quiz_machine *machine;
    quiz_times *times;
    unsigned char after[QUIZ_OPS][QUIZ_OPS / 8]; /* bit j of row i: i begins after j has ended */
    unsigned char done[QUIZ_OPS];
} model;

static int ordered(const model *m, size_t later, size_t earlier)
{
    return m->after[later][earlier / 8] >> (earlier % 8) & 1;
}

/* `later` waits for `earlier` and for everything that `earlier` waits for. */
static void wait_for(model *m, size_t later, size_t earlier)
{
    for (size_t i = 0; i < sizeof m->after[0]; i++)
        m->after[later][i] |= m->after[earlier][i];
    m->after[later][earlier / 8] |= (unsigned char)(1u << (earlier % 8));
}

static int engine_of(const model *m, const quiz_op *op)
{
    if (op->kind == QUIZ_HOST)
        return ENGINE_HOST;
    if (op->kind > QUIZ_HOST)
        return NO_ENGINE;
    if (m->machine->copy_engines == 0)
        return ENGINE_COMPUTE;
    if (op->kind == QUIZ_KERNEL)
        return m->machine->kernels_together ? NO_ENGINE : ENGINE_COMPUTE;
    return op->kind == QUIZ_OUT && m->machine->copy_engines > 1 ? ENGINE_OUT : ENGINE_IN;
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Whether an operation waits for an earlier one in another stream because one of the two streams is
   the legacy default stream. */
static int through_default(const quiz *q, const quiz_op *op, const quiz_op *earlier)
{
    const quiz_stream *mine, *other;

    if (op->stream < 0 || earlier->stream < 0 || op->kind == QUIZ_SYNC ||
        earlier->kind == QUIZ_SYNC)
        return 0;
    mine = &q->streams[op->stream];
    other = &q->streams[earlier->stream];
    return (mine->legacy && other->blocking) || (other->legacy && mine->blocking);
}

/* The host's own work, or a wait of the host. */
static int of_host(const quiz_op *op)
{
    return op->kind == QUIZ_HOST || op->kind == QUIZ_SYNC;
}

/* Everything that operation i waits for, among the operations before it. */
static void order_one(model *m, size_t i)
{
    const quiz_op *op = &m->q->ops[i];

    for (size_t j = 0; j < i; j++) {
        const quiz_op *earlier = &m->q->ops[j];
        int same = op->kind != QUIZ_SYNC && earlier->kind != QUIZ_SYNC && op->stream >= 0 &&
                   op->stream == earlier->stream;
        int joined = op->kind == QUIZ_SYNC && earlier->stream >= 0 && !of_host(earlier) &&
                     (op->stream < 0 || op->stream == earlier->stream);

        /* the host issues operations in order */
        if (same || joined || of_host(earlier) || through_default(m->q, op, earlier))
            wait_for(m, i, j);
    }
    if (op->kind != QUIZ_WAIT)
        return;
    for (size_t j = i; j-- > 0;)
        if (m->q->ops[j].kind == QUIZ_RECORD && m->q->ops[j].event == op->event) {
            wait_for(m, i, j);
            return;
        }
}

static void find_races(model *m)
{
    quiz_times *t = m->times;

    t->races = 0;
    t->racer[0] = t->racer[1] = -1;
    for (size_t i = 0; i < m->q->op_count; i++)
        for (size_t j = 0; j < i; j++) {
            const quiz_op *a = &m->q->ops[i], *b = &m->q->ops[j];
            uint64_t both = (a->writes & (b->reads | b->writes)) | (a->reads & b->writes) |
                            (a->host_writes & (b->host_reads | b->host_writes)) |
                            (a->host_reads & b->host_writes);

            if (!both || ordered(m, i, j))
                continue;
            if (!t->races) {
                t->racer[0] = (int)j;
                t->racer[1] = (int)i;
            }
            t->races |= both;
        }
}

/* ---- times ----------------------------------------------------------------------------------- */

/* When the operation could begin if its engine were idle; -1: a predecessor has no time yet. */
static double ready_at(const model *m, size_t i)
{
    double ready = 0;

    for (size_t j = 0; j < i; j++) {
        if (!ordered(m, i, j))
            continue;
        if (!m->done[j])
            return -1;
        ready = m->times->end[j] > ready ? m->times->end[j] : ready;
    }
    return ready;
}

static void run_at(model *m, size_t i, double begin, double engines[ENGINES])
{
    int engine = engine_of(m, &m->q->ops[i]);

    m->times->begin[i] = begin;
    m->times->end[i] = begin + m->q->ops[i].cost;
    m->done[i] = 1;
    if (engine < ENGINES)
        engines[engine] = m->times->end[i];
    if (m->times->end[i] > m->times->total)
        m->times->total = m->times->end[i];
}

/* The operation that begins next, and when: by issue, the first one issued; by readiness, the one
   that can begin first. */
static size_t next_op(const model *m, const double engines[ENGINES], double *begin_out)
{
    size_t best = m->q->op_count;
    double best_ready = 0;

    for (size_t i = 0; i < m->q->op_count; i++) {
        int engine = engine_of(m, &m->q->ops[i]);
        double ready = m->done[i] ? -1 : ready_at(m, i), begin = ready;

        if (ready < 0)
            continue;
        if (engine < ENGINES && engines[engine] > begin)
            begin = engines[engine];
        if (best == m->q->op_count || begin < *begin_out ||
            (begin <= *begin_out && ready < best_ready)) {
            best = i;
            best_ready = ready;
            *begin_out = begin;
        }
        if (m->machine->queue == QUIZ_BY_ISSUE)
            break;
    }
    return best;
}

void quiz_predict(const quiz *q, const quiz_machine *machine, quiz_times *times_out)
{
    static model m; /* static: 256 KiB */
    double engines[ENGINES] = {0}, begin = 0;

    memset(&m, 0, sizeof m);
    m.q = q;
    m.machine = machine;
    m.times = times_out;
    memset(times_out, 0, sizeof *times_out);
    for (size_t i = 0; i < q->op_count; i++)
        order_one(&m, i);
    find_races(&m);
    for (size_t n = 0; n < q->op_count; n++) {
        size_t i = next_op(&m, engines, &begin);

        run_at(&m, i, begin, engines);
    }
}
