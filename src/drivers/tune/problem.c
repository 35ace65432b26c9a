/* SPDX-License-Identifier: Apache-2.0 */
/* problem.c - heddle's primitives as descriptions that hd_tune_measure takes. */
#include "problem.h"

#include <string.h>

#include <heddle/memory.h>

#include "drivers/transpose/space.h"
#include "source_hash.h"

static const hd__tune_family *const families[HD__TUNE_FAMILIES] = {
    &hd__tune_reduce, &hd__tune_scan, &hd__tune_sort, &hd__tune_transpose, &hd__tune_tridiag};

/* ---- callbacks of hd_tune_measure ------------------------------------------------------------ */

static hd__tune_choice choice_of(const hd__tune_problem *p, const unsigned *values)
{
    hd__tune_choice choice = {{0}};
    for (size_t i = 0; i < hd__tune_spaces[p->family].knob_count; i++)
        choice.of[i] = (uint16_t)values[i];
    return choice;
}

static hd_status prepare(void *state, size_t size, hd_stream *stream)
{
    hd__tune_problem *p = state;
    return families[p->family]->prepare(p, size, stream);
}

static hd_status run(void *state, size_t size, const unsigned *values, hd_stream *stream)
{
    hd__tune_problem *p = state;
    hd__tune_try(p->family, choice_of(p, values));
    const hd_status status = families[p->family]->run(p, size, stream);
    hd__tune_try_end();
    return status;
}

static hd_status result(void *state, size_t size, void **memory, size_t *bytes)
{
    const hd__tune_problem *p = state;
    (void)size;
    *memory = p->out;
    *bytes = p->out_bytes;
    return HD_OK;
}

static int accepts(void *state, size_t size, const unsigned *values)
{
    const hd__tune_problem *p = state;
    return families[p->family]->accepts(p, size, choice_of(p, values));
}

/* ---- problems -------------------------------------------------------------------------------- */

void hd__tune_problem_open(hd__tune_problem *p, int family, unsigned type, unsigned kind,
                           int device)
{
    const hd__tune_space *space = &hd__tune_spaces[family];
    memset(p, 0, sizeof *p);
    p->family = family;
    p->type = type;
    p->kind = kind;
    p->device = device;
    hd__tune_type_text(space, type, kind, p->type_text);
    p->kernel.name = space->name;
    p->kernel.source = HD__SOURCE_HASH;
    p->kernel.type = p->type_text;
    p->kernel.knobs = space->knobs;
    p->kernel.knob_count = space->knob_count;
    p->kernel.prepare = prepare;
    p->kernel.run = run;
    p->kernel.result = result;
    p->kernel.accepts = accepts;
    p->kernel.state = p;
}

void hd__tune_problem_close(hd__tune_problem *p)
{
    for (unsigned i = 0; i < HD__TUNE_INPUTS; i++)
        (void)hd_free(p->in[i]);
    (void)hd_free(p->out);
    memset(p, 0, sizeof *p);
}

int hd__tune_problem_exists(int family, unsigned type, unsigned kind)
{
    const hd_type t = (hd_type)type;
    if (family == HD__TUNE_SCAN)
        return t == HD_I32 || t == HD_U32 || t == HD_I64 || t == HD_U64 || t == HD_F32 ||
               t == HD_F64;
    if (family == HD__TUNE_TRANSPOSE) /* elements of 16 bytes are always aligned */
        return type < 4 || kind == HD__TRANSPOSE_KIND_ALIGNED;
    return 1;
}
