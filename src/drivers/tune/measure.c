/* SPDX-License-Identifier: Apache-2.0 */
/* measure.c - compares candidates with the default bit for bit, then times them. */
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <heddle/memory.h>

#include "base/error.h"

/* A sample is at least this long, so that the clock's resolution does not matter. */
#define SAMPLE_SECONDS 2e-4
enum { REPEATS_MAX = 64, POISON = 0xa5 };

double hd__tune_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void hd__tune_step(hd__tune_run *run, size_t steps)
{
    run->done += steps;
    if (run->options.progress)
        run->options.progress(run->options.progress_state,
                              run->done < run->total ? run->done : run->total, run->total);
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Runs once, on overwritten memory, and copies the result to the host. */
static hd_status run_once(hd__tune_run *run, size_t size, const unsigned *values,
                          unsigned char **to)
{
    const hd_tune_kernel *k = run->kernel;
    void *memory = NULL;
    size_t bytes = 0;
    HD_TRY(k->result(k->state, size, &memory, &bytes));
    if (bytes > run->bytes || !*to) {
        unsigned char *more[2] = {realloc(run->expected, bytes ? bytes : 1), NULL};
        if (more[0])
            run->expected = more[0];
        more[1] = realloc(run->got, bytes ? bytes : 1);
        if (more[1])
            run->got = more[1];
        if (!more[0] || !more[1])
            return hd__fail(HD_ERR_NO_MEMORY, run->call, "no memory for 2 copies of %zu bytes",
                            bytes);
    }
    run->bytes = bytes;
    HD_TRY(hd_fill_bytes(memory, POISON, 1, bytes, run->stream));
    HD_TRY(k->run(k->state, size, values, run->stream));
    HD_TRY(hd_copy_blocking_bytes(*to, memory, bytes, 1, run->stream));
    return HD_OK;
}

static size_t first_difference(const hd__tune_run *run)
{
    size_t i = 0;
    while (i < run->bytes && run->got[i] == run->expected[i])
        i++;
    return i;
}

static void reject(hd_tune_candidate *c, hd_tune_verdict verdict, size_t size, const char *why)
{
    c->verdict = verdict;
    c->rejected_size = size;
    (void)snprintf(c->why, sizeof c->why, "%s", why);
}

/* The message of the last failure; that of the status if a callback of the user recorded none. */
static const char *message_of(hd_status status)
{
    const hd_error *last = hd_error_last();
    return last->status == status && *last->message ? last->message : hd_status_text(status);
}

/* Rejects the candidate if its result differs or a call fails. */
static void compare(hd__tune_run *run, hd_tune_candidate *c, size_t size)
{
    char why[HD_TUNE_WHY_MAX];
    hd_status status = run_once(run, size, c->values, &run->got);
    if (status >= 0)
        status = hd_stream_synchronize(run->stream);
    if (status < 0) {
        reject(c, HD_TUNE_FAILED, size, message_of(status));
    } else if (memcmp(run->expected, run->got, run->bytes) != 0) {
        (void)snprintf(why, sizeof why, "byte %zu of %zu differs from the default's result",
                       first_difference(run), run->bytes);
        reject(c, HD_TUNE_DIFFERS, size, why);
    }
}

/* Whether the candidate is run at this size: the default always. */
static int runs_at(const hd__tune_run *run, size_t candidate, size_t size)
{
    const hd_tune_kernel *k = run->kernel;
    return candidate == 0 || !k->accepts ||
           k->accepts(k->state, size, run->result->candidates[candidate].values);
}

/* The default twice: a result that differs from run to run has nothing to compare with. */
static hd_status compare_all(hd__tune_run *run, const size_t *group, size_t count, size_t size)
{
    hd_tune_candidate *all = run->result->candidates;
    HD_TRY(run_once(run, size, all[0].values, &run->expected));
    HD_TRY(run_once(run, size, all[0].values, &run->got));
    if (memcmp(run->expected, run->got, run->bytes) != 0)
        return hd__fail(HD_ERR_ARGUMENT, run->call,
                        "%s: two runs of the default differ at size %zu (byte %zu), so that no "
                        "candidate can be compared",
                        run->kernel->name, size, first_difference(run));
    for (size_t i = 1; i < count; i++) {
        if (all[group[i]].verdict <= HD_TUNE_MEASURED && runs_at(run, group[i], size))
            compare(run, &all[group[i]], size);
        hd__tune_step(run, 1);
    }
    return HD_OK;
}

/* ---- timing ---------------------------------------------------------------------------------- */

static hd_status time_runs(hd__tune_run *run, size_t size, const unsigned *values, unsigned repeats,
                           double *seconds)
{
    const hd_tune_kernel *k = run->kernel;
    const double began = hd__tune_now();
    float milliseconds = 0;
    if (run->start)
        HD_TRY(hd_event_record(run->start, run->stream));
    for (unsigned i = 0; i < repeats; i++)
        HD_TRY(k->run(k->state, size, values, run->stream));
    if (run->start)
        HD_TRY(hd_event_record(run->stop, run->stream));
    HD_TRY(hd_stream_synchronize(run->stream));
    *seconds = hd__tune_now() - began;
    if (run->start) {
        HD_TRY(hd_event_elapsed(run->start, run->stop, &milliseconds));
        *seconds = 1e-3 * (double)milliseconds;
    }
    *seconds /= repeats;
    return HD_OK;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median and interquartile range of the candidate's times. */
static void summarize(double *times, unsigned rounds, double *median, double *spread)
{
    qsort(times, rounds, sizeof *times, ascending);
    *median = rounds % 2 ? times[rounds / 2] : (times[rounds / 2 - 1] + times[rounds / 2]) / 2;
    *spread = *median > 0 ? (times[rounds - 1 - rounds / 4] - times[rounds / 4]) / *median : 0;
}

/* Times the candidates that are left at size number s. Each round begins with another candidate. */
static hd_status time_all(hd__tune_run *run, const size_t *group, size_t count, size_t s,
                          unsigned rounds)
{
    hd_tune_candidate *all = run->result->candidates;
    const size_t size = run->options.sizes[s];
    double once = 0;
    HD_TRY(time_runs(run, size, all[0].values, 1, &once));
    const double wanted = once > 0 ? SAMPLE_SECONDS / once : REPEATS_MAX;
    const unsigned repeats = wanted >= REPEATS_MAX ? REPEATS_MAX
                             : wanted > 1          ? (unsigned)wanted
                                                   : 1;
    for (unsigned round = 0; round < rounds; round++)
        for (size_t i = 0; i < count; i++) {
            const size_t at = (i + round) % count;
            hd_tune_candidate *c = &all[group[at]];
            double *time = &run->times[at * rounds + round];
            hd__tune_step(run, 1);
            if (c->verdict > HD_TUNE_MEASURED || !runs_at(run, group[at], size))
                continue;
            const hd_status status = time_runs(run, size, c->values, repeats, time);
            if (status < 0 && group[at] == 0)
                return status;
            if (status < 0)
                reject(c, HD_TUNE_FAILED, size, message_of(status));
        }
    for (size_t i = 0; i < count; i++) {
        hd_tune_candidate *c = &all[group[i]];
        if (c->verdict > HD_TUNE_MEASURED)
            continue;
        if (runs_at(run, group[i], size)) {
            summarize(run->times + i * rounds, rounds, &c->seconds[s], &c->spread[s]);
        } else {
            c->seconds[s] = all[0].seconds[s];
            c->spread[s] = all[0].spread[s];
        }
    }
    return HD_OK;
}

/* Weighted geometric mean of the default's time over the candidate's. */
static double speedup(const hd__tune_run *run, const hd_tune_candidate *c)
{
    const hd_tune_candidate *base = run->result->candidates;
    double sum = 0, weights = 0;
    for (size_t s = 0; s < run->options.size_count; s++) {
        const double weight = run->options.weights ? run->options.weights[s] : 1;
        if (c->seconds[s] > 0 && base->seconds[s] > 0)
            sum += weight * log(base->seconds[s] / c->seconds[s]);
        weights += weight;
    }
    return exp(sum / weights);
}

hd_status hd__tune_group(hd__tune_run *run, const size_t *group, size_t count, unsigned rounds)
{
    const hd_tune_kernel *k = run->kernel;
    hd_tune_candidate *all = run->result->candidates;
    double *times = realloc(run->times, count * rounds * sizeof *times);
    if (!times)
        return hd__fail(HD_ERR_NO_MEMORY, run->call, "no memory for %zu times", count * rounds);
    run->times = times;
    for (size_t s = 0; s < run->options.size_count; s++) {
        const size_t size = run->options.sizes[s];
        if (k->prepare)
            HD_TRY(k->prepare(k->state, size, run->stream));
        HD_TRY(compare_all(run, group, count, size));
        HD_TRY(time_all(run, group, count, s, rounds));
    }
    for (size_t i = 0; i < count; i++) {
        hd_tune_candidate *c = &all[group[i]];
        if (c->verdict <= HD_TUNE_MEASURED) {
            c->verdict = HD_TUNE_MEASURED;
            c->speedup = speedup(run, c);
        } else {
            c->speedup = 0;
        }
    }
    return HD_OK;
}
