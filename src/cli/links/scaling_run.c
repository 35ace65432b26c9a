/* SPDX-License-Identifier: Apache-2.0 */
/* scaling_run.c - Jacobi sweeps of one field on 1, 2, 3 ... devices, timed and compared. */
#include "scaling.h"

#include <stdlib.h>
#include <string.h>

#include "drivers/peer/pattern.h"
#include "cli/app/progress.h"

enum { WARM_SWEEPS = 20 };

/* The results of one run. */
typedef struct outcome {
    void *field;
    double *norms;
} outcome;

static size_t norm_count(const scaling *s)
{
    return s->every ? (s->problem.sweeps + s->every - 1) / s->every : 0;
}

static size_t field_bytes(const scaling *s, size_t ny)
{
    return s->problem.nx * ny * hd_type_bytes(s->problem.type);
}

/* Random cells in [0, 1), the same for every number of devices. */
static void generate(const scaling *s, size_t ny, void *field)
{
    const size_t n = s->problem.nx * ny;

    for (size_t i = 0; i < n; i++) {
        const uint32_t word = hd__pattern_word(42, i) >> 8;
        if (s->problem.type == HD_F32)
            ((float *)field)[i] = (float)word * 0x1p-24f;
        else
            ((double *)field)[i] = (double)word * 0x1p-24;
    }
}

static int compare_seconds(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The first run is a warm-up; all start with the same field. */
static hd_status time_group(const scaling *s, hd_jacobi_group *group, const void *first,
                            const outcome *made, double *samples)
{
    const size_t sweeps = s->problem.sweeps;

    HD_TRY(hd_jacobi_group_load(group, first, 0));
    HD_TRY(hd_jacobi_group_run(group, sweeps < WARM_SWEEPS ? sweeps : WARM_SWEEPS, 0, NULL));
    for (size_t i = 0; i < s->runs; i++) {
        HD_TRY(hd_jacobi_group_load(group, first, 0));
        const double began = cli_now();
        HD_TRY(hd_jacobi_group_run(group, sweeps, s->every, s->every ? made->norms : NULL));
        samples[i] = cli_now() - began;
    }
    qsort(samples, s->runs, sizeof *samples, compare_seconds);
    return made->field ? hd_jacobi_group_store(group, made->field, 0) : HD_OK;
}

/* Sets variant and seconds of *row. */
static hd_status run_group(const scaling *s, const void *first, const outcome *made,
                           scaling_row *row)
{
    double *samples = malloc(s->runs * sizeof *samples);
    hd_jacobi_group_options options = {0};
    hd_jacobi problem = s->problem;
    hd_jacobi_group *group = NULL;
    hd_status status;

    problem.ny = row->ny;
    options.variant = row->devices > 1 ? s->variant : HD_JACOBI_AUTO;
    status = samples ? hd_jacobi_group_create(&problem, s->devices.device, row->devices, &options,
                                              &group)
                     : cli_no_memory("%zu times", s->runs);
    if (status >= 0)
        status = hd_jacobi_group_get(group, &row->variant, &row->depth, NULL);
    if (status >= 0)
        status = time_group(s, group, first, made, samples);
    if (status >= 0)
        row->seconds = samples[s->runs / 2];
    free(samples);
    if (status < 0) {
        (void)hd_jacobi_group_destroy(group);
        return status;
    }
    return hd_jacobi_group_destroy(group);
}

/* The reference: one device with all of the row's field. */
static hd_status run_reference(const scaling *s, const void *first, const outcome *made, size_t ny)
{
    scaling_row row = {.devices = 1, .ny = ny};
    scaling once = *s;

    once.runs = 1;
    return run_group(&once, first, made, &row);
}

static bool same(const scaling *s, const outcome *a, const outcome *b, size_t ny)
{
    return memcmp(a->field, b->field, field_bytes(s, ny)) == 0 &&
           memcmp(a->norms, b->norms, norm_count(s) * sizeof *a->norms) == 0;
}

/* Weak scaling has a separate reference per row; strong scaling uses one. */
static hd_status measure_rows(scaling *s, scaling_mode mode, void *first, const outcome *alone,
                              const outcome *made)
{
    for (unsigned k = 0; k < s->devices.count; k++) {
        scaling_row *row = &s->rows[mode][k];
        row->devices = k + 1;
        row->ny = mode == SCALING_WEAK ? s->problem.ny * (k + 1) : s->problem.ny;
        if (k == 0 || mode == SCALING_WEAK) {
            generate(s, row->ny, first);
            if (s->verify)
                HD_TRY(run_reference(s, first, alone, row->ny));
        }
        HD_TRY(run_group(s, first, made, row));
        row->wrong = s->verify && !same(s, alone, made, row->ny);
    }
    return HD_OK;
}

static int measure_mode(scaling *s, scaling_mode mode)
{
    const size_t most = s->problem.ny * (mode == SCALING_WEAK ? s->devices.count : 1);
    const size_t bytes = field_bytes(s, most), norms = (norm_count(s) + 1) * sizeof(double);
    outcome alone = {malloc(s->verify ? bytes : 1), malloc(norms)};
    outcome made = {malloc(s->verify ? bytes : 1), malloc(norms)}, timed = made;
    void *first = malloc(bytes);
    int status = CLI_DONE;

    s->rows[mode] = calloc(s->devices.count, sizeof *s->rows[mode]);
    if (!s->verify)
        timed.field = NULL;
    if (!s->rows[mode] || !first || !alone.field || !alone.norms || !made.field || !made.norms)
        status = cli_failed(s->arguments->command, "no memory for fields of %zu bytes", bytes);
    else if (measure_rows(s, mode, first, &alone, &timed) < 0)
        status = cli_failed_call(s->arguments->command);
    free(first);
    free(made.norms);
    free(made.field);
    free(alone.norms);
    free(alone.field);
    return status;
}

int scaling_measure(scaling *s)
{
    int status = CLI_DONE;

    for (int mode = 0; mode < SCALING_MODES && status == CLI_DONE; mode++)
        if (s->modes >> mode & 1)
            status = measure_mode(s, (scaling_mode)mode);
    return status;
}
