/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - primitives from plain C: running sums, a sort, selected elements, a hot plate. */
#include <stdio.h>
#include <stdlib.h>

#include <heddle/heddle.h>
#include <heddle/laplace.h>
#include <heddle/random.h>
#include <heddle/scan.h>
#include <heddle/select.h>
#include <heddle/sort.h>

enum { N = 100000, EDGE = 65, GROUP = 64 };

/* sums[i] = x[0] + ... + x[i], in place on the device. */
static hd_status running_sums(hd_stream *stream, const double *x, double *sums)
{
    double *device_x = NULL;
    hd_status status;

    HD_GOTO(status, end, hd_alloc(&device_x, N, 0));
    HD_GOTO(status, end, hd_copy(device_x, x, N, stream));
    HD_GOTO(status, end,
            hd_scan(device_x, N, HD_F64, HD_SUM, HD_SCAN_INCLUSIVE, NULL, device_x, NULL, stream));
    HD_GOTO(status, end, hd_copy_blocking(sums, device_x, N, stream));
end:
    hd_free(device_x);
    return status;
}

/* Random numbers, generated and sorted on the device, and how many of them are below 0.5. */
static hd_status sort_and_count(hd_stream *stream, float *sorted, uint64_t *below)
{
    const hd_random from = {HD_PHILOX, 42, 0, 0};
    const hd_where half = {HD_WHERE_LT, {.f32 = 0.5f}, NULL};
    float *keys = NULL;
    uint64_t *count = NULL;
    hd_status status;

    HD_GOTO(status, end, hd_alloc(&keys, N, 0));
    HD_GOTO(status, end, hd_alloc(&count, 1, 0));
    HD_GOTO(status, end, hd_random_fill_uniform(keys, N, HD_F32, &from, stream));
    HD_GOTO(status, end, hd_sort_keys(keys, keys, N, HD_F32, NULL, NULL, stream));
    HD_GOTO(status, end, hd_select(keys, N, HD_F32, &half, NULL, count, NULL, stream));
    HD_GOTO(status, end, hd_copy_blocking(sorted, keys, N, stream));
    HD_GOTO(status, end, hd_copy_blocking(below, count, 1, stream));
end:
    hd_free(keys);
    hd_free(count);
    return status;
}

/* A square plate, 100 degrees at one side and 0 at the others; `plate` is input and solution. */
static hd_status hot_plate(hd_stream *stream, double *plate, hd_laplace_report *report)
{
    hd_jacobi problem = {.type = HD_F64, .nx = EDGE, .ny = EDGE, .sweeps = 100000};
    double *field = NULL, *other = NULL;
    hd_status status;

    HD_GOTO(status, end, hd_alloc(&field, EDGE * EDGE, 0));
    HD_GOTO(status, end, hd_alloc(&other, EDGE * EDGE, 0));
    HD_GOTO(status, end, hd_alloc(&problem.norms, GROUP, 0));
    HD_GOTO(status, end, hd_copy(field, plate, EDGE * EDGE, stream));
    HD_GOTO(status, end, hd_laplace2d(&problem, 1e-9, GROUP, field, other, report, NULL, stream));
    HD_GOTO(status, end, hd_copy_blocking(plate, (double *)report->result, EDGE * EDGE, stream));
end:
    hd_free(field);
    hd_free(other);
    hd_free(problem.norms);
    return status;
}

static hd_status run(hd_stream *stream)
{
    static double x[N], plate[EDGE * EDGE];
    static float sorted[N];
    hd_laplace_report report;
    uint64_t below;

    for (int i = 0; i < N; i++)
        x[i] = 0.5;
    HD_TRY(running_sums(stream, x, x));
    printf("the last of %d running sums: %g\n", N, x[N - 1]);
    HD_TRY(sort_and_count(stream, sorted, &below));
    printf("%.9g to %.9g, %d below a half\n", (double)sorted[0], (double)sorted[N - 1], (int)below);
    for (int i = 1; i + 1 < EDGE; i++)
        plate[i] = 100;
    HD_TRY(hot_plate(stream, plate, &report));
    printf("the middle of the plate: %.6f degrees, %d sweeps\n", plate[EDGE * EDGE / 2],
           (int)report.sweeps);
    return HD_OK;
}

int main(void)
{
    hd_stream *stream = NULL;
    char text[HD_ERROR_TEXT_MAX];
    hd_status status = hd_stream_create(0, &stream);

    if (status == HD_OK)
        status = run(stream);
    if (status != HD_OK)
        fprintf(stderr, "primitives: %s\n", hd_error_format(text, sizeof text));
    hd_stream_destroy(stream);
    return status == HD_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
