/* SPDX-License-Identifier: Apache-2.0 */
/* tune.c - batches of tridiagonal systems to be tuned: diagonally dominant, one after another or
   all interleaved, p->elements rows altogether. */
#include <stdlib.h>

#include <heddle/memory.h>
#include <heddle/tridiag.h>

#include "base/error.h"
#include "drivers/tune/problem.h"
#include "drivers/tridiag/space.h"

enum { DIAGONAL = 1, RIGHT = 3, REPORT = 4, PERIOD = 4099 };

static hd_tridiag_batch batch_of(const hd__tune_problem *p, size_t rows)
{
    hd_tridiag_batch batch = {.rows = rows, .type = p->type ? HD_F64 : HD_F32};
    batch.systems = p->elements / rows ? p->elements / rows : 1;
    /* Two at least: a width of 1 is contiguous. */
    if (p->kind == HD__TRIDIAG_KIND_INTERLEAVED && batch.systems < 2)
        batch.systems = 2;
    batch.width = p->kind == HD__TRIDIAG_KIND_INTERLEAVED ? batch.systems : 1;
    return batch;
}

/* Numbers in [2.5, 3.5) for the diagonal and in [0, 1) beside it, repeated with a period. */
static hd_status fill(void *to, size_t n, hd_type type, int which, hd_stream *stream)
{
    float narrow[PERIOD];
    double wide[PERIOD];
    const size_t size = hd_type_bytes(type);
    uint64_t state = 12345u + (unsigned)which;
    for (size_t i = 0; i < PERIOD; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        wide[i] = (double)(state >> 40) / 16777216.0 + (which == DIAGONAL ? 2.5 : 0);
        narrow[i] = (float)wide[i];
    }
    const void *from = type == HD_F64 ? (const void *)wide : (const void *)narrow;
    const size_t first = n < PERIOD ? n : PERIOD;
    HD_TRY(hd_copy_blocking_bytes(to, from, first, size, stream));
    for (size_t done = first; done < n;) { /* doubles what is there */
        const size_t more = n - done < done ? n - done : done;
        HD_TRY(hd_copy_bytes((char *)to + done * size, to, more, size, stream));
        done += more;
    }
    return HD_OK;
}

static hd_status prepare(hd__tune_problem *p, size_t rows, hd_stream *stream)
{
    const hd_tridiag_batch batch = batch_of(p, rows);
    const size_t n = batch.rows * batch.systems, size = hd_type_bytes(batch.type);
    for (int i = 0; i <= RIGHT; i++) {
        HD_TRY(hd__tune_input(p, (unsigned)i, n * size));
        HD_TRY(fill(p->in[i], n, batch.type, i, stream));
    }
    HD_TRY(hd__tune_input(p, REPORT, sizeof(uint64_t)));
    return hd__tune_output(p, n * size);
}

static hd_status run(hd__tune_problem *p, size_t rows, hd_stream *stream)
{
    const hd_tridiag_batch batch = batch_of(p, rows);
    return hd_tridiag(&batch, p->in[0], p->in[DIAGONAL], p->in[2], p->in[RIGHT], p->out,
                      p->in[REPORT], NULL, stream);
}

static int accepts(const hd__tune_problem *p, size_t rows, hd__tune_choice choice)
{
    const unsigned threads = choice.of[HD__TRIDIAG_KNOB_THREADS];
    const unsigned block = choice.of[HD__TRIDIAG_KNOB_BLOCK];
    const unsigned lanes = choice.of[HD__TRIDIAG_KNOB_LANES];
    const unsigned passes = choice.of[HD__TRIDIAG_KNOB_PASSES];
    (void)rows;
    if (!HD_SERIAL_THREADS && threads)
        return 0;
    if (HD_SERIAL_THREADS && !threads)
        return !block && !lanes && (!passes || p->kind == HD__TRIDIAG_KIND_INTERLEAVED);
    return p->kind == HD__TRIDIAG_KIND_CONTIGUOUS ? !lanes && !passes
                                                  : !block && !(lanes && passes);
}

const hd__tune_family hd__tune_tridiag = {prepare, run, accepts};
