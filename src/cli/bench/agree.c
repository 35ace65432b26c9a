/* SPDX-License-Identifier: Apache-2.0 */
/* agree.c - before a case is measured, heddle's output is checked and compared with the vendor
   library's. */
#include <string.h>

#include "frame.h"
#include "cli/bench/kernels/bench.h"

enum { COMPARE_THREADS = 256, POISON = 0x5a };

int bench_run_vendor(bench *b, const bench_arrays *a)
{
    const bench_case *c = b->running;

    if (b->own_vendor) {
        c->plain(c, a);
        return 0;
    }
    if (b->vendor.run(b->opened, a->in, a->out, b->native_stream) != 0)
        return bench_failed(b, "%s: %s", b->vendor.library(b->opened), b->vendor.error());
    return 0;
}

int bench_vendor_values(bench *b, const bench_arrays *theirs, double *values, size_t count)
{
    if (b->own_vendor) {
        if (hd_copy_blocking_bytes(values, theirs->out[0], count, sizeof *values, b->clock.stream) <
            0)
            return bench_failed_call(b);
        return 0;
    }
    if (b->vendor.values(b->opened, theirs->out, b->native_stream, values, count) != 0)
        return bench_failed(b, "%s: %s", b->vendor.library(b->opened), b->vendor.error());
    return 0;
}

static hd_status compare(bench *b, size_t bytes, const void *ours, const void *theirs,
                         uint64_t *count)
{
    const bench_case *c = b->running;
    hd_launch_config config = hd_launch_loop(bytes / 4, COMPARE_THREADS, b->clock.stream);

    if (c->agreement == BENCH_BITS)
        return hd_launch(bench_differ_u8, config, bytes, (const uint8_t *)ours,
                         (const uint8_t *)theirs, count);
    if (c->type == HD_F64)
        return hd_launch(bench_differ_f64, config, bytes / 8, c->tolerance, (const double *)ours,
                         (const double *)theirs, count);
    return hd_launch(bench_differ_f32, config, bytes / 4, c->tolerance, (const float *)ours,
                     (const float *)theirs, count);
}

/* Counts on the device the elements that differ in each output. */
static int compare_outputs(bench *b, const bench_arrays *ours, const bench_arrays *theirs)
{
    const bench_case *c = b->running;
    uint64_t *count, different = 0;

    if (hd_alloc(&count, 1, b->device) < 0)
        return bench_failed_call(b);
    for (size_t i = 0; i < BENCH_ARRAYS && different == 0; i++) {
        size_t bytes = c->agree_bytes[i] ? c->agree_bytes[i] : c->out_bytes[i];

        if (!ours->out[i])
            continue;
        if (hd_fill_zero(count, 1, b->clock.stream) < 0 ||
            compare(b, bytes, ours->out[i], theirs->out[i], count) < 0 ||
            hd_copy_blocking(&different, count, 1, b->clock.stream) < 0) {
            hd_free(count);
            return bench_failed_call(b);
        }
        if (different)
            bench_failed(b, "%s, %s of %zu: heddle and the vendor differ in %llu %s of output %zu",
                         c->text, hd_type_name(c->type), c->n, (unsigned long long)different,
                         c->agreement == BENCH_BITS ? "bytes" : "elements", i);
    }
    hd_free(count);
    return different ? -1 : 0;
}

/* Runs the vendor library with separate outputs and compares. */
static int check_vendor(bench *b, const bench_arrays *ours)
{
    const bench_case *c = b->running;
    bench_arrays theirs = *ours;
    size_t bytes = 0;
    unsigned char *memory;
    int status;

    for (size_t i = 0; i < BENCH_ARRAYS; i++)
        bytes += (c->out_bytes[i] + 255) / 256 * 256;
    if (hd_alloc(&memory, bytes, b->device) < 0 ||
        hd_fill_bytes(memory, POISON, 1, bytes, b->clock.stream) < 0)
        return bench_failed_call(b);
    for (size_t i = 0, at = 0; i < BENCH_ARRAYS; i++) {
        theirs.out[i] = c->out_bytes[i] ? memory + at : NULL;
        at += (c->out_bytes[i] + 255) / 256 * 256;
    }
    status = bench_fill_arrays(b, ours);
    if (status == 0 && hd_stream_synchronize(b->clock.stream) < 0)
        status = bench_failed_call(b);
    if (status == 0)
        status = bench_run_vendor(b, &theirs);
    if (status == 0 && hd_stream_synchronize(b->clock.stream) < 0)
        status = bench_failed_call(b);
    if (status == 0 && c->agreement == BENCH_OWN)
        status = c->agree(b, c, ours, &theirs);
    else if (status == 0 && c->agreement != BENCH_NOTHING)
        status = compare_outputs(b, ours, &theirs);
    hd_free(memory);
    return status;
}

int bench_check(bench *b)
{
    const bench_case *c = b->running;
    bench_arrays ours = bench_arrays_of(b, 0);
    int compared = b->compare && (b->own_vendor ? c->plain != NULL : b->opened != NULL);

    if (c->run(b, c, &ours) < 0 || hd_stream_synchronize(b->clock.stream) < 0)
        return bench_failed_call(b);
    if (c->check && c->check(b, c, &ours) < 0)
        return -1;
    return compared ? check_vendor(b, &ours) : 0;
}
