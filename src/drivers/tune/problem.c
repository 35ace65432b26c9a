/* SPDX-License-Identifier: Apache-2.0 */
/* problem.c - what the families' problems have in common: memory, numbers, and the description that
   hd_tune_measure takes. */
#include "problem.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/memory.h>
#include <heddle/random.h>

#include "base/error.h"
#include "kernels/transpose/space.h"
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

static hd_status renew(void **memory, size_t bytes, int device)
{
    void *old = *memory;
    *memory = NULL;
    HD_TRY(hd_free(old));
    return hd_alloc_bytes(memory, bytes ? bytes : 1, 1, HD_MEM_DEVICE, device);
}

hd_status hd__tune_input(hd__tune_problem *p, unsigned index, size_t bytes)
{
    return renew(&p->in[index], bytes, p->device);
}

hd_status hd__tune_output(hd__tune_problem *p, size_t bytes)
{
    p->out_bytes = bytes;
    return renew(&p->out, bytes, p->device);
}

/* Half-precision numbers in [0.5, 1), from the host. */
static hd_status halves(void *to, size_t n, uint64_t seed, hd_stream *stream)
{
    uint16_t *numbers = malloc(n * sizeof *numbers);
    if (!numbers)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_tune_measure", "no memory for %zu numbers", n);
    for (size_t i = 0; i < n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        numbers[i] = (uint16_t)(0x3800u | (unsigned)(seed >> 54));
    }
    const hd_status status = hd_copy_blocking_bytes(to, numbers, n, sizeof *numbers, stream);
    free(numbers);
    return status;
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

hd_status hd__tune_numbers(void *to, size_t n, hd_type type, uint64_t seed, hd_stream *stream)
{
    const hd_random from = {.generator = HD_PHILOX, .seed = seed};
    if (type == HD_F16)
        return halves(to, n, seed, stream);
    if (type == HD_F32 || type == HD_F64)
        return hd_random_fill_uniform(to, n, type, &from, stream);
    if (hd_type_bytes(type) == 8)
        return hd_random_fill_bits(to, n, HD_U64, &from, stream);
    return hd_random_fill_bits(to, n * hd_type_bytes(type) / 4, HD_U32, &from, stream);
}
