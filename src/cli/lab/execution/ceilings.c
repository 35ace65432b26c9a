/* SPDX-License-Identifier: Apache-2.0 */
/* ceilings.c - highest rates of a device, measured or published. */
#include "ceilings.h"

#include <math.h>
#include <stdlib.h>

#include <heddle/heddle.h>

#include "cli/lab/kernels/chains.h"
#include "cli/lab/kernels/coalescing.h"

enum { PEAK_CHAINS = 8, PEAK_THREADS = 1024, PEAK_BLOCKS = 2, PEAK_STEPS = 1 << 14 };
enum { READ = 1 << 30, VECTOR = 16 }; /* much more than a cache holds */

typedef struct ceiling_run {
    unsigned blocks;
    size_t warp;
    float *words;
    void *memory;
} ceiling_run;

static hd_status run_chains(void *state, hd_stream *stream)
{
    const ceiling_run *r = state;
    const chains_work work = {PEAK_STEPS, 1, 1, 0};

    return hd_launch(chains_8,
                     hd_launch_with(hd_dim(r->blocks, 1, 1), hd_dim(PEAK_THREADS, 1, 1), 0, stream),
                     work, r->words);
}

static hd_status run_reads(void *state, hd_stream *stream)
{
    const ceiling_run *r = state;
    const unsigned blocks = READ / VECTOR / COALESCING_LOADS / COALESCING_BLOCK;
    const coalescing_reads reads = {.warps = (size_t)blocks * COALESCING_BLOCK / r->warp,
                                    .span = r->warp,
                                    .stride = 1,
                                    .factor = 1};

    return hd_launch(
        coalescing_16,
        hd_launch_with(hd_dim(blocks, 1, 1), hd_dim(COALESCING_BLOCK, 1, 1), 0, stream), reads,
        (const void *)r->memory, (uint32_t *)(void *)r->words);
}

static hd_status measure(lab *l, ceiling_run *r, ceilings *c)
{
    const lab_launch chains = {&chains_8_kernel, run_chains, r};
    const lab_launch reads = {&coalescing_16_kernel, run_reads, r};
    const double operations = 2.0 * r->blocks * PEAK_THREADS * PEAK_CHAINS * PEAK_STEPS;
    const size_t words = (size_t)r->blocks * PEAK_THREADS;
    double seconds;

    HD_TRY(hd_alloc(&r->words, words, l->job.device));
    HD_TRY(hd_alloc_bytes(&r->memory, READ, 1, HD_MEM_DEVICE, l->job.device));
    HD_TRY(hd_fill_zero((unsigned char *)r->memory, READ, l->job.stream));
    HD_TRY(run_chains(r, l->job.stream)); /* warm-up */
    HD_TRY(lab_time(l, &chains, LAB_WARM, &seconds));
    c->flops = operations / seconds;
    HD_TRY(lab_time(l, &reads, LAB_WARM, &seconds));
    c->bytes = READ / seconds;
    return HD_OK;
}

hd_status ceilings_find(lab *l, ceilings *c)
{
    ceiling_run r = {.warp = (size_t)l->job.warp};
    int64_t units = 0;
    hd_status status;

    c->flops = 1e9 * lab_reference(l->model, LAB_PEAK_F32);
    c->bytes = 1e9 * lab_reference(l->model, LAB_PEAK_MEMORY);
    if (!l->gpu)
        return HD_OK;
    HD_TRY(hd_device_get(l->job.device, HD_ATTR_COMPUTE_UNITS, &units));
    r.blocks = PEAK_BLOCKS * (unsigned)units;
    status = measure(l, &r, c);
    hd_free(r.words);
    hd_free(r.memory);
    return status;
}

double ceilings_at(const ceilings *c, double flops_per_byte)
{
    return fmin(c->flops, flops_per_byte * c->bytes);
}

double ceilings_ridge(const ceilings *c)
{
    return c->bytes > 0 ? c->flops / c->bytes : 0;
}

hd_status ceilings_sum(lab *l, const float *words, size_t n, double *sum_out)
{
    float *host = malloc(n * sizeof *host);
    hd_status status;

    *sum_out = 0;
    if (!host)
        return cli_no_memory("%zu words on the host", n);
    status = hd_copy_blocking(host, words, n, l->job.stream);
    for (size_t i = 0; i < n && status >= 0; i++)
        *sum_out += (double)host[i];
    free(host);
    return status;
}

void ceilings_count_results(lab *l)
{
    l->counts = l->job.verify && !l->gpu;
}
