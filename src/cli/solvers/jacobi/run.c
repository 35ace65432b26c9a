/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - the runs of `heddle jacobi` and their comparison. */
#include "jacobi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "field.h"

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

size_t jacobi_norm_count(const jacobi_run *run)
{
    return run->every ? (run->problem.sweeps + run->every - 1) / run->every : 0;
}

double jacobi_speedup(const jacobi_run *run, const jacobi_row *row)
{
    return row->seconds > 0 ? run->one.seconds / row->seconds : 0;
}

bool jacobi_same_as_one(const jacobi_run *run, const jacobi_row *row)
{
    return !row->lacking && row->devices == 1 && row->variant == run->one.variant;
}

double jacobi_known(const jacobi_run *run, size_t sweep)
{
    const hd_jacobi *p = &run->problem;

    if (p->nx != 16384 || p->ny != 16384 || p->type != HD_F32)
        return 0;
    return sweep == 0 ? 31.999022 : sweep == 100 ? 0.897983 : sweep == 900 ? 0.173818 : 0;
}

const char *jacobi_device_word(void)
{
    return strcmp(hd_backend_name(), "cpu") == 0 ? "device" : "GPU";
}

bool jacobi_right(const jacobi_run *run, const jacobi_row *row)
{
    return row->wrong == 0 && row->wrong_norm == SIZE_MAX && run->unknown == SIZE_MAX;
}

/* ---- the problem ----------------------------------------------------------------------------- */

static size_t field_bytes(const jacobi_run *run)
{
    return run->problem.nx * run->problem.ny * hd_type_bytes(run->problem.type);
}

static int get_memory(jacobi_run *run)
{
    const size_t bytes = field_bytes(run), norms = jacobi_norm_count(run) + 1;

    run->first = calloc(1, bytes);
    run->alone = malloc(bytes);
    run->field = malloc(bytes);
    run->one.norms = calloc(norms, sizeof(double));
    for (size_t i = 0; i < run->row_count; i++)
        if (!(run->rows[i].norms = calloc(norms, sizeof(double))))
            return cli_failed(run->arguments->command, "no memory for %zu norms", norms);
    if (!run->first || !run->alone || !run->field || !run->one.norms)
        return cli_failed(run->arguments->command, "no memory for a field of %zu x %zu",
                          run->problem.nx, run->problem.ny);
    return CLI_DONE;
}

static void generate(jacobi_run *run)
{
    const size_t bytes = run->problem.nx * hd_type_bytes(run->problem.type);

    for (size_t y = 0; y < run->problem.ny; y++)
        jacobi_field_row(&run->problem, y, (char *)run->first + y * bytes);
}

/* ---- one group ------------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Warm-up, then the median of the runs, each from the initial field. */
static hd_status time_group(jacobi_run *run, hd_jacobi_group *group, jacobi_row *row, void *field)
{
    const size_t sweeps = run->problem.sweeps, warm = sweeps < 20 ? sweeps : 20;
    double seconds[1000];

    HD_TRY(hd_jacobi_group_load(group, run->first, 0));
    HD_TRY(hd_jacobi_group_run(group, warm, run->every ? 1 : 0, row->norms ? seconds : NULL));
    for (size_t i = 0; i < run->runs; i++) {
        double begin;
        HD_TRY(hd_jacobi_group_load(group, run->first, 0));
        begin = now();
        HD_TRY(hd_jacobi_group_run(group, sweeps, run->every, row->norms));
        seconds[i] = now() - begin;
    }
    qsort(seconds, run->runs, sizeof *seconds, compare_doubles);
    row->seconds = seconds[run->runs / 2];
    return hd_jacobi_group_store(group, field, 0);
}

static const char *path_text(hd_peer_path path)
{
    return path == HD_PATH_STAGED ? "staged through the host"
           : path == HD_PATH_SAME ? "one device"
                                  : "peer access";
}

/* Each pair of neighbours once, even if they touch on two sides. */
static void describe_paths(jacobi_run *run, const hd_jacobi_group *group)
{
    uint64_t named[CLI_DEVICES_MAX] = {0}; /* bits */
    size_t used = 0;
    hd_domain domain;
    hd_part part;

    if (run->paths[0] || hd_jacobi_group_get(group, NULL, NULL, &domain) < 0)
        return;
    for (unsigned i = 0; i < run->devices.count; i++)
        for (int d = 0; d < 2; d++) {
            const int dx = d, dy = 1 - d;
            hd_peer_path path;
            if (hd_jacobi_group_path(group, i, dx, dy, &path) < 0 ||
                hd_domain_part(&domain, i, &part) < 0 || used + 64 > sizeof run->paths)
                continue;
            const unsigned j = (unsigned)part.neighbours[1 + dy][1 + dx];
            if (named[j] >> i & 1)
                continue;
            named[i] |= (uint64_t)1 << j;
            used += (size_t)snprintf(run->paths + used, sizeof run->paths - used,
                                     "%s %d and %d: %s\n", jacobi_device_word(),
                                     run->devices.device[i], run->devices.device[j],
                                     path_text(path));
        }
}

/* --p2p on and off reach the library through the environment; messages name the option instead. */
static void name_option(const jacobi_run *run, char *text)
{
    static const char variable[] = "HEDDLE_P2P=", option[] = "--p2p ";
    const char *given = cli_option_value(run->arguments, "p2p");
    char *at = given && strcmp(given, "auto") != 0 ? strstr(text, variable) : NULL;

    if (!at)
        return;
    memcpy(at, option, strlen(option));
    at += strlen(variable);
    memmove(at - strlen(variable) + strlen(option), at, strlen(at) + 1);
}

static int failed_call(const jacobi_run *run)
{
    char text[HD_ERROR_TEXT_MAX];

    (void)cli_call_text(text, sizeof text);
    name_option(run, text);
    return cli_failed(run->arguments->command, "%s", text);
}

static int run_group(jacobi_run *run, jacobi_row *row, void *field)
{
    hd_jacobi_group_options options = {0};
    hd_jacobi_group *group = NULL;
    hd_status status;

    options.variant = row->asked;
    options.transport = run->carrier;
    if (row->devices > 1) {
        options.tiles_x = run->tiles_x;
        options.tiles_y = run->tiles_y;
        options.thread_per_device = run->threads;
    }
    status = hd_jacobi_group_create(&run->problem, run->devices.device, row->devices, &options,
                                    &group);
    row->lacking = run->all && (status == HD_ERR_NO_PEER || status == HD_ERR_UNSUPPORTED);
    if (row->lacking) {
        snprintf(row->why, sizeof row->why, "%s", hd_error_last()->message);
        name_option(run, row->why);
        return CLI_DONE;
    }
    if (status >= 0)
        status = hd_jacobi_group_get(group, &row->variant, &run->depth, NULL);
    if (status >= 0)
        status = time_group(run, group, row, field);
    if (status >= 0)
        describe_paths(run, group);
    if (status < 0) {
        const int failed = failed_call(run);
        (void)hd_jacobi_group_destroy(group);
        return failed;
    }
    if (hd_jacobi_group_destroy(group) < 0)
        return cli_failed_call(run->arguments->command);
    return CLI_DONE;
}

/* ---- comparisons ----------------------------------------------------------------------------- */

static void compare(jacobi_run *run, jacobi_row *row)
{
    const size_t element = hd_type_bytes(run->problem.type), bytes = field_bytes(run);
    const char *a = run->alone, *b = run->field;

    row->wrong = 0;
    if (memcmp(a, b, bytes) != 0)
        for (size_t i = 0; i < bytes; i += element)
            row->wrong += memcmp(a + i, b + i, element) != 0;
    for (size_t i = jacobi_norm_count(run); i-- > 0;)
        if (memcmp(&row->norms[i], &run->one.norms[i], sizeof(double)) != 0)
            row->wrong_norm = i;
}

/* Reference norms were printed with six decimals, from sums in f32. */
static void compare_known(jacobi_run *run)
{
    for (size_t i = jacobi_norm_count(run); i-- > 0;) {
        const double known = jacobi_known(run, i * run->every);
        if (known > 0 && fabs(run->one.norms[i] - known) > 2e-6 + 1e-6 * known)
            run->unknown = i;
    }
}

static void set_rows(jacobi_run *run)
{
    run->one.asked = HD_JACOBI_AUTO;
    run->one.devices = 1;
    for (int v = 0; v < HD_JACOBI_VARIANT_COUNT_; v++)
        if (run->variants >> v & 1) {
            jacobi_row *row = &run->rows[run->row_count++];
            row->asked = (hd_jacobi_variant)v;
            row->devices = run->devices.count;
            row->wrong = row->wrong_norm = SIZE_MAX;
        }
    run->unknown = SIZE_MAX;
}

int jacobi_measure(jacobi_run *run)
{
    int status;

    set_rows(run);
    status = get_memory(run);
    if (status == CLI_DONE) {
        generate(run);
        status = run_group(run, &run->one, run->alone);
    }
    if (status == CLI_DONE && run->verify)
        compare_known(run);
    for (size_t i = 0; i < run->row_count && status == CLI_DONE; i++) {
        status = run_group(run, &run->rows[i], run->field);
        if (status == CLI_DONE && jacobi_same_as_one(run, &run->rows[i]))
            run->rows[i].seconds = run->one.seconds; /* one time for the same sweeps */
        if (status == CLI_DONE && run->verify && !run->rows[i].lacking)
            compare(run, &run->rows[i]);
    }
    return status;
}

void jacobi_free(jacobi_run *run)
{
    free(run->first);
    free(run->alone);
    free(run->field);
    free(run->one.norms);
    for (size_t i = 0; i < run->row_count; i++)
        free(run->rows[i].norms);
}
