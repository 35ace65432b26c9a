/* SPDX-License-Identifier: Apache-2.0 */
/* auto.c - the chunk size: as requested, or from a measurement of the run's first units. */
#include "run.h"

enum {
    PROBE_BYTES = 512 << 10, /* first chunks measured, in the direction with more bytes */
    PROBES = 7,              /* the first is a warm-up, then three of each size */
    PROBE_GROWTH = 4,
    WORTH_PROBES = 64, /* a run of fewer first chunks is not worth a measurement */
    USUAL_BYTES = 4 << 20,
    RING_BYTES = 64 << 20, /* limit for all pinned buffers, which are slow to allocate */
    RING_GROWTH = 4        /* factor on that limit if further runs repay the time */
};

typedef struct widths {
    size_t widest, device, pinned; /* bytes of a unit: busier direction, buffers, pinned buffers */
    int reads;
} widths;

static widths widths_of(const hd__pipe_run *run)
{
    widths w = {1, 0, 0, 0};
    size_t in = 0, out = 0;
    for (size_t i = 0; i < run->count; i++) {
        const hd__pipe_array *a = &run->arrays[i];
        *(i < run->inputs ? &in : &out) += a->unit;
        w.device += a->buffered ? a->unit : 0;
        w.pinned += a->staged ? a->unit : 0;
        w.reads |= a->read != NULL;
    }
    w.widest = in > out ? in : out;
    w.widest = w.widest ? w.widest : 1;
    return w;
}

static size_t at_least(size_t n, size_t least)
{
    return n > least ? n : least;
}

/* The largest multiple of the granule up to `units` and the number of units in all; at least one
   granule. */
static size_t fit_chunk(const hd__pipe_run *run, size_t units)
{
    const size_t granule = run->plan.granule, all = run->limit;
    const size_t n = units < all ? units : all, over = n % granule;
    if (over == 0)
        return n;
    return n > over ? n - over : granule;
}

/* Chunks of one size; fewer buffers if there are fewer chunks. */
static hd_status use_fixed(hd__pipe_run *run, size_t units)
{
    run->plan.chunk = run->plan.least = at_least(fit_chunk(run, units), 1);
    const size_t chunks = run->limit / run->plan.chunk + (run->limit % run->plan.chunk != 0);
    if (chunks < run->buffers)
        run->buffers = (unsigned)chunks;
    return hd__pipe_slots_make(run, run->plan.chunk);
}

/* The largest chunk whose buffers take at most a quarter of the free memory, and `ring` bytes of
   pinned memory. */
static hd_status largest_chunk(const hd__pipe_run *run, widths w, size_t ring, size_t *units)
{
    size_t free_bytes, most = run->limit / 2;
    HD_TRY(hd_device_memory(run->p->options.device, &free_bytes, NULL));
    if (w.device && free_bytes / 4 / run->buffers / w.device < most)
        most = free_bytes / 4 / run->buffers / w.device;
    if (w.pinned && ring / run->buffers / w.pinned < most)
        most = ring / run->buffers / w.pinned;
    *units = at_least(most, 1);
    return HD_OK;
}

/* ---- measuring ------------------------------------------------------------------------------- */

static hd_status elapsed(const hd__pipe_run *run, int i, double *seconds)
{
    float milliseconds;
    HD_TRY(hd_event_elapsed(run->p->marks[2 * i], run->p->marks[2 * i + 1], &milliseconds));
    *seconds = 1e-3 * (double)milliseconds;
    return HD_OK;
}

/* Times one chunk while nothing else runs on the device. */
static hd_status probe(hd__pipe_run *run, size_t units, double seconds[HD__PIPE_STAGES])
{
    const double began = hd__pipe_now();
    HD_TRY(hd__pipe_issue(run, 1, units));
    seconds[HD__PIPE_STAGE_IN] = hd__pipe_now() - began;
    HD_TRY(hd__pipe_await(run, run->loaded));
    for (int i = 0; i < 3; i++)
        HD_TRY(elapsed(run, i, &seconds[HD__PIPE_COPY_IN + i]));
    seconds[HD__PIPE_STAGE_OUT] = run->stage_out;
    return HD_OK;
}

/* Noise only makes a chunk slower, so the minimum of each size counts. */
static hd_status measure(hd__pipe_run *run, size_t units, hd__pipe_cost *cost)
{
    const size_t sizes[2] = {units, units * PROBE_GROWTH};
    double seconds[HD__PIPE_STAGES], least[2][HD__PIPE_STAGES];
    for (int i = 0; i < HD__PIPE_MARKS; i++)
        if (!run->p->marks[i])
            HD_TRY(hd_event_create(run->p->options.device, HD_EVENT_TIMING, &run->p->marks[i]));
    run->marking = 1;
    HD_TRY(probe(run, units, seconds));
    for (int turn = 0; turn < PROBES - 1; turn++) {
        double *best = least[turn % 2];
        HD_TRY(probe(run, sizes[turn % 2], seconds));
        for (int i = 0; i < HD__PIPE_STAGES; i++)
            best[i] = turn < 2 || seconds[i] < best[i] ? seconds[i] : best[i];
    }
    run->marking = 0;
    hd__pipe_fit(sizes, least, cost);
    return HD_OK;
}

static hd_status use_measured(hd__pipe_run *run, size_t units, size_t most, size_t later)
{
    hd_pipeline *p = run->p;
    hd__pipe_cost cost;
    run->plan.chunk = run->plan.least = PROBE_GROWTH * units;
    HD_TRY(hd__pipe_slots_make(run, run->plan.chunk));
    HD_TRY(measure(run, units, &cost));
    run->plan = hd__pipe_choose(&cost, run->job->units, run->plan.granule, units, most,
                                run->buffers);
    run->planned = run->loaded;
    HD_TRY(hd__pipe_slots_make(run, run->plan.chunk));
    hd__pipe_trials_begin(&p->trials, run->plan, units, later);
    p->plan_work = run->job->work;
    p->plan_units = run->job->units;
    p->plan_granule = run->plan.granule;
    p->spent = 0;
    return HD_OK;
}

/* ---- later runs ------------------------------------------------------------------------------ */

static int is_known(const hd__pipe_run *run)
{
    const hd_pipeline *p = run->p;
    return p->plan_work == run->job->work && p->plan_units == run->job->units &&
           p->plan_granule == run->plan.granule && hd__pipe_layout_fits(run);
}

/* The largest chunk worth trying: one that fits in the existing slots, or in larger ones if
   allocating them takes less time than the runs so far. */
static size_t affordable_chunk(const hd_pipeline *p)
{
    const double more = p->slot_seconds > 0 ? p->spent / p->slot_seconds : 1;
    return more > 1 ? (size_t)(more * (double)p->slot_units) : p->slot_units;
}

static hd_status use_trial(hd__pipe_run *run)
{
    hd_pipeline *p = run->p;
    hd_pipeline_work *work = p->plan_work;
    const size_t held = p->slot_units;
    hd_status status;
    run->plan = hd__pipe_trials_next(&p->trials, affordable_chunk(p));
    status = hd__pipe_slots_make(run, run->plan.chunk);
    if (status == HD_ERR_NO_MEMORY && run->plan.chunk > held) {
        hd__pipe_trials_refuse(&p->trials);
        run->plan = hd__pipe_trials_next(&p->trials, held);
        status = hd__pipe_slots_make(run, held);
    }
    HD_TRY(status);
    p->plan_work = work;
    run->trying = 1;
    return HD_OK;
}

hd_status hd__pipe_plan_make(hd__pipe_run *run, int *measured)
{
    const hd_pipeline *p = run->p;
    const hd_pipeline_job *job = run->job;
    const widths w = widths_of(run);
    size_t most = 0, later = 0;
    run->plan.granule = job->granule ? job->granule : 1;
    if (p->options.chunk)
        return use_fixed(run, p->options.chunk);
    if (!run->copies_in && !run->copies_out && !w.reads && w.pinned == 0)
        return use_fixed(run, run->limit);
    if (!w.reads && is_known(run))
        return use_trial(run);
    HD_TRY(largest_chunk(run, w, RING_BYTES, &most));
    HD_TRY(largest_chunk(run, w, (size_t)RING_BYTES * RING_GROWTH, &later));
    const size_t wanted = w.reads ? USUAL_BYTES / w.widest : PROBE_BYTES / w.widest;
    const size_t units = at_least(fit_chunk(run, at_least(wanted < most ? wanted : most, 1)), 1);
    if (w.reads || job->units / WORTH_PROBES < units || most / PROBE_GROWTH < units)
        return use_fixed(run, units);
    *measured = 1;
    return use_measured(run, units, most, later);
}
