/* SPDX-License-Identifier: Apache-2.0 */
/* remote_heavy.c - two heavy kernels, on one device and on two. */
#include "remote.h"

#include <stdlib.h>
#include <string.h>

#include "cli/bench/kernels/overlap.h"
#include "cli/app/progress.h"

enum { CPU_ELEMENTS = 1 << 15, GPU_ELEMENTS = 1 << 22, CPU_WEIGHT = 64, GPU_WEIGHT = 4096 };

/* One kernel's device, stream and arrays. */
typedef struct heavy {
    hd_stream *stream;
    uint32_t *in, *out;
} heavy;

static hd_status heavy_make(heavy *h, int device, size_t n)
{
    HD_TRY(hd_stream_create_with(device, HD_STREAM_NON_BLOCKING, 0, &h->stream));
    HD_TRY(hd_alloc(&h->in, n, device));
    HD_TRY(hd_alloc(&h->out, n, device));
    HD_TRY(hd_fill_bytes(h->in, 3, 4, n, h->stream));
    HD_TRY(hd_fill_zero(h->out, n, h->stream));
    return hd_stream_synchronize(h->stream);
}

static void heavy_drop(heavy *h)
{
    (void)hd_free(h->out);
    (void)hd_free(h->in);
    (void)hd_stream_destroy(h->stream);
}

/* Seconds until all are done, by the host's clock: the minimum of `runs`. */
static hd_status heavy_time(const heavy *const *all, size_t count, size_t n, unsigned weight,
                            size_t runs, double *seconds)
{
    for (size_t i = 0; i <= runs; i++) { /* the first is a warm-up */
        const double began = cli_now();
        for (size_t k = 0; k < count; k++)
            HD_TRY(hd_launch(overlap_work, hd_launch_loop(n, 256, all[k]->stream), n, weight,
                             (const uint32_t *)all[k]->in, all[k]->out));
        for (size_t k = 0; k < count; k++)
            HD_TRY(hd_stream_synchronize(all[k]->stream));
        const double took = cli_now() - began;
        *seconds = i <= 1 || took < *seconds ? took : *seconds;
    }
    return HD_OK;
}

static hd_status heavy_check(remote *r, const heavy *h, size_t n, unsigned weight)
{
    uint32_t expected = 3, *got = malloc(n * sizeof *got);
    hd_status status = got ? hd_copy_blocking(got, (const uint32_t *)h->out, n, h->stream)
                           : cli_no_memory("%zu bytes on the host", n * sizeof *got);

    for (unsigned k = 0; k < weight; k++)
        expected = expected * OVERLAP_FACTOR + OVERLAP_TERM;
    for (size_t i = 0; i < n && status >= 0; i++)
        if (got[i] != expected && !r->wrong[0])
            (void)snprintf(r->wrong, sizeof r->wrong, "element %zu of a heavy kernel", i);
    free(got);
    return status;
}

static hd_status heavy_all(remote *r, heavy h[3])
{
    const int cpu = strcmp(hd_backend_name(), "cpu") == 0;
    const size_t n = cpu ? CPU_ELEMENTS : GPU_ELEMENTS;
    const unsigned weight = cpu ? CPU_WEIGHT : GPU_WEIGHT;
    const heavy *const together[] = {&h[0], &h[1]}, *const apart[] = {&h[0], &h[2]};

    HD_TRY(heavy_make(&h[0], r->devices.device[0], n));
    HD_TRY(heavy_make(&h[1], r->devices.device[0], n));
    HD_TRY(heavy_make(&h[2], r->devices.device[1], n));
    HD_TRY(heavy_time(together, 1, n, weight, r->runs, &r->heavy.alone));
    HD_TRY(heavy_time(together, 2, n, weight, r->runs, &r->heavy.together));
    HD_TRY(heavy_time(apart, 2, n, weight, r->runs, &r->heavy.apart));
    for (int k = 0; k < 3; k++)
        HD_TRY(heavy_check(r, &h[k], n, weight));
    return HD_OK;
}

hd_status remote_measure_heavy(remote *r)
{
    heavy h[3] = {{NULL, NULL, NULL}, {NULL, NULL, NULL}, {NULL, NULL, NULL}};
    hd_status status = heavy_all(r, h);

    for (int k = 0; k < 3; k++)
        heavy_drop(&h[k]);
    return status;
}
