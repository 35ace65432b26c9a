/* SPDX-License-Identifier: Apache-2.0 */
/* search.c - hd_tune_measure: which combinations of values are tried. All of them if they are few;
   otherwise from the default on, one knob at a time: the neighbours of the best combination so far
   (the value before and after in a knob's list), until none is faster or the budget is spent. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "measure.h"
#include "runtime/backend.h"
#include "runtime/runtime.h"

enum { ROUNDS = 7, CANDIDATES_MAX = 200, CONFIRM = 2 };
#define SECONDS 30.0
#define GAIN 1.03

/* ---- arguments ------------------------------------------------------------------------------- */

static int is_name(const char *text)
{
    size_t i = 0;
    for (; text[i]; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return 0;
    return i < HD_TUNE_NAME_MAX;
}

static int is_source(const char *text)
{
    size_t i = 0;
    for (; text[i]; i++)
        if (text[i] < ' ' || text[i] > '~')
            return 0;
    return i < HD_TUNE_SOURCE_MAX;
}

static hd_status check_knob(const char *call, const hd_tune_knob *knob, size_t index)
{
    if (!knob->name || !*knob->name || !is_name(knob->name))
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "knob %zu has no name of 1 to %d printable characters", index,
                        HD_TUNE_NAME_MAX - 1);
    if (!knob->values || knob->count == 0 || knob->count > HD_TUNE_VALUES_MAX)
        return hd__fail(HD_ERR_ARGUMENT, call, "knob %s has %zu values; 1 to %d are possible",
                        knob->name, knob->count, HD_TUNE_VALUES_MAX);
    return HD_OK;
}

hd_status hd__tune_kernel_check(const char *call, const hd_tune_kernel *kernel)
{
    if (!kernel || !kernel->run || !kernel->result)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL",
                        !kernel        ? "kernel"
                        : !kernel->run ? "kernel->run"
                                       : "kernel->result");
    if (!kernel->name || !*kernel->name || !is_name(kernel->name))
        return hd__fail(HD_ERR_ARGUMENT, call, "name is not 1 to %d printable characters",
                        HD_TUNE_NAME_MAX - 1);
    if (kernel->source && !is_source(kernel->source))
        return hd__fail(HD_ERR_ARGUMENT, call, "source is not up to %d printable characters",
                        HD_TUNE_SOURCE_MAX - 1);
    if (kernel->type && !is_name(kernel->type))
        return hd__fail(HD_ERR_ARGUMENT, call, "type is not up to %d printable characters",
                        HD_TUNE_NAME_MAX - 1);
    if (!kernel->knobs || kernel->knob_count == 0 || kernel->knob_count > HD_TUNE_KNOBS_MAX)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s has %zu knobs; 1 to %d are possible",
                        kernel->name, kernel->knob_count, HD_TUNE_KNOBS_MAX);
    for (size_t i = 0; i < kernel->knob_count; i++)
        HD_TRY(check_knob(call, &kernel->knobs[i], i));
    return HD_OK;
}

static hd_status check_options(const char *call, const hd_tune_options *options)
{
    if (!options || !options->sizes)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", options ? "sizes" : "options");
    if (options->size_count == 0 || options->size_count > HD_TUNE_SIZES_MAX)
        return hd__fail(HD_ERR_ARGUMENT, call, "%zu sizes; 1 to %d are possible",
                        options->size_count, HD_TUNE_SIZES_MAX);
    for (size_t i = 0; i < options->size_count; i++) {
        if (options->sizes[i] == 0)
            return hd__fail(HD_ERR_ARGUMENT, call, "size %zu is 0", i);
        if (options->weights && !(options->weights[i] > 0 && isfinite(options->weights[i])))
            return hd__fail(HD_ERR_ARGUMENT, call, "weight %zu is %g; it must be above 0", i,
                            options->weights[i]);
    }
    if (options->rounds > HD_TUNE_ROUNDS_MAX)
        return hd__fail(HD_ERR_ARGUMENT, call, "%u rounds; at most %d are possible",
                        options->rounds, HD_TUNE_ROUNDS_MAX);
    if (!(options->seconds >= 0) || !(options->gain >= 0))
        return hd__fail(HD_ERR_ARGUMENT, call, "seconds and gain must not be negative");
    return HD_OK;
}

static void take_options(hd__tune_run *run, const hd_tune_options *options)
{
    hd_tune_options *o = &run->options;
    *o = *options;
    o->rounds = o->rounds ? o->rounds : ROUNDS;
    o->candidates_max = o->candidates_max ? o->candidates_max : CANDIDATES_MAX;
    o->seconds = o->seconds > 0 ? o->seconds : SECONDS;
    o->gain = o->gain > 0 ? o->gain : GAIN;
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* The combination as indices into the knobs' lists. */
typedef struct combination {
    size_t at[HD_TUNE_KNOBS_MAX];
} combination;

static int accepted(const hd__tune_run *run, const unsigned *values)
{
    const hd_tune_kernel *k = run->kernel;
    int some = 0;
    for (size_t s = 0; s < run->options.size_count; s++)
        some |= !k->accepts || k->accepts(k->state, run->options.sizes[s], values);
    return some;
}

/* Appends the combination unless it exists or is not accepted; returns whether it did. */
static int add(hd__tune_run *run, const combination *from)
{
    const hd_tune_kernel *k = run->kernel;
    hd_tune_result *r = run->result;
    hd_tune_candidate *c = &r->candidates[r->count];
    if (r->count == run->options.candidates_max)
        return 0;
    memset(c, 0, sizeof *c);
    for (size_t i = 0; i < k->knob_count; i++)
        c->values[i] = k->knobs[i].values[from->at[i]];
    for (size_t i = 0; i < r->count; i++)
        if (memcmp(r->candidates[i].values, c->values, sizeof c->values) == 0)
            return 0;
    if (r->count > 0 && !accepted(run, c->values))
        return 0;
    r->count++;
    return 1;
}

/* The next combination, the last knob first; 0 after the last one. */
static int advance(const hd_tune_kernel *kernel, combination *c)
{
    for (size_t i = kernel->knob_count; i-- > 0;) {
        if (++c->at[i] < kernel->knobs[i].count)
            return 1;
        c->at[i] = 0;
    }
    return 0;
}

static void add_all(hd__tune_run *run)
{
    combination c = {{0}};
    do
        (void)add(run, &c);
    while (advance(run->kernel, &c));
}

/* The neighbours of candidate `best`. */
static void add_neighbours(hd__tune_run *run, size_t best)
{
    const hd_tune_kernel *k = run->kernel;
    combination center;
    for (size_t i = 0; i < k->knob_count; i++) {
        center.at[i] = 0;
        while (k->knobs[i].values[center.at[i]] != run->result->candidates[best].values[i])
            center.at[i]++;
    }
    for (size_t i = 0; i < k->knob_count; i++) {
        combination next = center;
        if (center.at[i] > 0) {
            next.at[i] = center.at[i] - 1;
            (void)add(run, &next);
        }
        if (center.at[i] + 1 < k->knobs[i].count) {
            next.at[i] = center.at[i] + 1;
            (void)add(run, &next);
        }
    }
}

static size_t space_of(const hd_tune_kernel *kernel)
{
    size_t space = 1;
    for (size_t i = 0; i < kernel->knob_count; i++)
        if (__builtin_mul_overflow(space, kernel->knobs[i].count, &space))
            return SIZE_MAX;
    return space;
}

/* ---- the search ------------------------------------------------------------------------------ */

static size_t fastest(const hd_tune_result *result)
{
    size_t best = 0;
    for (size_t i = 1; i < result->count; i++)
        if (result->candidates[i].verdict == HD_TUNE_MEASURED &&
            result->candidates[i].speedup > result->candidates[best].speedup)
            best = i;
    return best;
}

/* Measures candidates first ... count - 1 beside the default, a few at a time so that the budget of
   time ends a long list. */
static hd_status measure_new(hd__tune_run *run, size_t first)
{
    enum { AT_ONCE = 16 };
    size_t group[AT_ONCE + 1] = {0};
    while (first < run->result->count) {
        size_t count = 1;
        if (first > 1 && hd__tune_now() - run->began > run->options.seconds)
            return HD_OK;
        while (count <= AT_ONCE && first < run->result->count)
            group[count++] = first++;
        HD_TRY(hd__tune_group(run, group, count, run->options.rounds));
    }
    return HD_OK;
}

static hd_status climb(hd__tune_run *run)
{
    size_t best = 0, before;
    do {
        const size_t first = run->result->count;
        before = best;
        add_neighbours(run, best);
        HD_TRY(measure_new(run, first));
        best = fastest(run->result);
    } while (best != before && hd__tune_now() - run->began <= run->options.seconds);
    return HD_OK;
}

/* The fastest of many was also lucky: it is timed against the default alone, and has to gain enough
   in both measurements. */
static hd_status choose(hd__tune_run *run)
{
    hd_tune_result *r = run->result;
    const size_t best = fastest(r);
    if (best == 0 || r->candidates[best].speedup < run->options.gain)
        return HD_OK;
    const size_t group[2] = {0, best};
    HD_TRY(hd__tune_group(run, group, 2, CONFIRM * run->options.rounds));
    if (r->candidates[best].verdict == HD_TUNE_MEASURED &&
        r->candidates[best].speedup >= run->options.gain)
        r->chosen = best;
    return HD_OK;
}

static hd_status search(hd__tune_run *run)
{
    hd_tune_result *r = run->result;
    const combination none = {{0}};
    const size_t default_only[1] = {0};
    const size_t per = run->options.size_count * (run->options.rounds + 1);
    (void)add(run, &none);
    if (!r->searched)
        add_all(run);
    run->total = (r->searched ? run->options.candidates_max : r->count) * per;
    HD_TRY(r->searched ? climb(run) : measure_new(run, 1));
    if (r->count == 1)
        return hd__tune_group(run, default_only, 1, run->options.rounds);
    return choose(run);
}

/* ---- the call -------------------------------------------------------------------------------- */

static hd_status open_run(hd__tune_run *run)
{
    hd_tune_result *r = calloc(1, sizeof *r);
    const size_t space = space_of(run->kernel);
    const size_t most = space < run->options.candidates_max ? space : run->options.candidates_max;
    run->result = r;
    if (!r || !(r->candidates = calloc(most + 1, sizeof *r->candidates)))
        return hd__fail(HD_ERR_NO_MEMORY, run->call, "no memory for %zu candidates", most);
    r->space = space;
    r->searched = space > run->options.candidates_max;
    r->device = run->stream->device;
    r->size_count = run->options.size_count;
    memcpy(r->sizes, run->options.sizes, r->size_count * sizeof *r->sizes);
    if (HD_SERIAL_THREADS)
        return HD_OK;
    HD_TRY(hd_event_create(r->device, HD_EVENT_TIMING, &run->start));
    return hd_event_create(r->device, HD_EVENT_TIMING, &run->stop);
}

static void close_run(hd__tune_run *run)
{
    (void)hd_event_destroy(run->start);
    (void)hd_event_destroy(run->stop);
    free(run->expected);
    free(run->got);
    free(run->times);
}

hd_status hd_tune_measure(const hd_tune_kernel *kernel, const hd_tune_options *options,
                          hd_stream *stream, hd_tune_result **result)
{
    static const char call[] = "hd_tune_measure";
    hd__tune_run run;
    hd_status status;
    if (!stream || !result)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", stream ? "result" : "stream");
    HD_TRY(hd__tune_kernel_check(call, kernel));
    HD_TRY(check_options(call, options));
    memset(&run, 0, sizeof run);
    run.call = call;
    run.kernel = kernel;
    run.stream = stream;
    run.began = hd__tune_now();
    take_options(&run, options);
    status = open_run(&run);
    if (status >= 0)
        status = search(&run);
    close_run(&run);
    if (status < 0)
        (void)hd_tune_result_destroy(run.result);
    else
        *result = run.result;
    return status;
}

hd_status hd_tune_result_destroy(hd_tune_result *result)
{
    HD__RELEASING;
    if (result)
        free(result->candidates);
    free(result);
    return HD_OK;
}
