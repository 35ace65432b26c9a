/* SPDX-License-Identifier: Apache-2.0 */
/* montecarlo.c - simulates the paths of a model and sums their payoffs. */
#include "plan.h"

#include <math.h>

#include "drivers/array.h"
#include "kernels/montecarlo/montecarlo.h"
#include "drivers/random/launch.h"
#include "runtime/backend.h"
#include "drivers/scratch.h"

enum { STEPS_MAX = 65536, BATCH_BYTES = 256 << 20 };

int hd__montecarlo_force_threads;

#define NAME_(name, text, what) text,
static const char *const payoff_names[] = {HD_PAYOFF_LIST(NAME_)};
static const char *const normals_names[] = {HD_NORMALS_LIST(NAME_)};
#undef NAME_

const char *hd_payoff_name(hd_payoff payoff)
{
    return (int)payoff >= 0 && payoff < HD_PAYOFF_COUNT_ ? payoff_names[payoff] : "unknown payoff";
}

const char *hd_normals_name(hd_normals normals)
{
    return (int)normals >= 0 && normals < HD_NORMALS_COUNT_ ? normals_names[normals]
                                                            : "unknown normals";
}

hd_montecarlo_model hd_montecarlo_default(void)
{
    const hd_montecarlo_model model = {.payoff = HD_DIGITAL,
                                       .normals = HD_NORMALS_FUSED,
                                       .steps = 100,
                                       .spot = 1,
                                       .strike = 1,
                                       .rate = 0.05,
                                       .volatility = 0.1,
                                       .correlation = 0.5,
                                       .years = 1,
                                       .seed = 1};
    return model;
}

/* Rows: hd_payoff, then the same with antithetic paths; columns: fused, memory, sobol. */
#define KERNEL_ROW_(payoff)                                                                        \
    {                                                                                              \
        &hd__mc_fused_##payoff##_kernel, &hd__mc_memory_##payoff##_kernel,                         \
            &hd__mc_sobol_##payoff##_kernel                                                        \
    }
static const hd_kernel *const kernels[2 * HD_PAYOFF_COUNT_][3] = {
    KERNEL_ROW_(digital),          KERNEL_ROW_(asian),          KERNEL_ROW_(european),
    KERNEL_ROW_(digital_mirrored), KERNEL_ROW_(asian_mirrored), KERNEL_ROW_(european_mirrored)};

static int from_memory(hd_normals normals)
{
    return normals == HD_NORMALS_COALESCED || normals == HD_NORMALS_STRIDED;
}

static hd_status check(const char *call, const hd_montecarlo_model *m)
{
    if (!m)
        return hd__fail(HD_ERR_ARGUMENT, call, "model is NULL");
    if ((int)m->payoff < 0 || m->payoff >= HD_PAYOFF_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown payoff %d", (int)m->payoff);
    if ((int)m->normals < 0 || m->normals >= HD_NORMALS_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown normals %d", (int)m->normals);
    if (m->steps < 1 || m->steps > STEPS_MAX)
        return hd__fail(HD_ERR_ARGUMENT, call, "%u steps are not between 1 and %d", m->steps,
                        (int)STEPS_MAX);
    if (m->normals == HD_NORMALS_SOBOL && 2 * m->steps > HD_SOBOL_DIMENSIONS)
        return hd__fail(HD_ERR_ARGUMENT, call, "%u steps need %u dimensions, Sobol points have %d",
                        m->steps, 2 * m->steps, (int)HD_SOBOL_DIMENSIONS);
    if (!(m->volatility > 0) || !(m->years > 0) || !(fabs(m->correlation) <= 1) ||
        !isfinite(m->spot) || !isfinite(m->strike) || !isfinite(m->rate) ||
        !isfinite(m->volatility) || !isfinite(m->years))
        return hd__fail(HD_ERR_ARGUMENT, call,
                        "spot %g, strike %g, rate %g, volatility %g, correlation %g, years %g",
                        m->spot, m->strike, m->rate, m->volatility, m->correlation, m->years);
    return HD_OK;
}

/* Layout of the workspace: sums and squares of all tiles, then normals or direction numbers. */
typedef struct plan {
    uint32_t rows, tiles, batch; /* batch: tiles of one launch */
    size_t partial_bytes, extra_bytes;
} plan;

static plan plan_of(const hd_montecarlo_model *m, uint64_t paths)
{
    plan p = {hd__mc_rows(paths), 0, 0, 0, 0};
    const uint64_t tile = (uint64_t)p.rows * HD__MC_SLOTS;
    const uint64_t tile_bytes = tile * m->steps * 2 * sizeof(float);
    uint64_t batch;

    p.tiles = p.batch = (uint32_t)((paths + tile - 1) / tile);
    p.partial_bytes = ((size_t)p.tiles * 2 * sizeof(double) + 255) / 256 * 256;
    if (from_memory(m->normals)) {
        batch = tile_bytes < BATCH_BYTES ? BATCH_BYTES / tile_bytes : 1;
        p.batch = batch < p.tiles ? (uint32_t)batch : p.tiles;
        p.extra_bytes = (size_t)(p.batch * tile_bytes);
    } else if (m->normals == HD_NORMALS_SOBOL) {
        p.extra_bytes = hd__sobol_bytes(2 * m->steps);
    }
    return p;
}

static hd_status check_paths(const char *call, const hd_montecarlo_model *m, uint64_t first,
                             uint64_t paths)
{
    const unsigned bits = m->normals == HD_NORMALS_SOBOL ? 32 : 40;

    if (first > (uint64_t)1 << bits || paths > ((uint64_t)1 << bits) - first)
        return hd__fail(HD_ERR_OVERFLOW, call, "path numbers end at 2^%u", bits);
    return HD_OK;
}

hd_status hd_montecarlo_workspace(const hd_montecarlo_model *model, uint64_t paths, size_t *bytes)
{
    static const char call[] = "hd_montecarlo_workspace";
    plan p;

    HD_TRY(check(call, model));
    HD_TRY(check_paths(call, model, 0, paths));
    if (!bytes)
        return hd__fail(HD_ERR_ARGUMENT, call, "bytes is NULL");
    p = plan_of(model, paths);
    *bytes = p.partial_bytes + p.extra_bytes;
    return HD_OK;
}

static hd__mc_task task_of(const hd_montecarlo_model *m, const plan *p, uint64_t first,
                           uint64_t paths, void *memory)
{
    const double dt = m->years / m->steps, sigma = m->volatility * sqrt(dt);
    hd__mc_task task = {0};

    task.paths = paths;
    task.first = first;
    task.rows = p->rows;
    task.steps = m->steps;
    while (task.bits < 32 && (first + paths) >> task.bits)
        task.bits++;
    task.spot = (float)m->spot;
    task.strike = (float)m->strike;
    task.low = (float)(0.9 * m->spot);
    task.high = (float)(1.1 * m->spot);
    task.per_step = (float)(1.0 / m->steps);
    task.drift = (float)(1.0 + m->rate * dt);
    task.volatility = (float)sigma;
    task.cross = (float)(sigma * m->correlation);
    task.own = (float)(sigma * sqrt(1.0 - m->correlation * m->correlation));
    task.sums = (double *)memory;
    task.squares = task.sums + p->tiles;
    task.keys = hd_philox_keys_of(m->seed);
    return task;
}

/* Positions of the normals of a batch of `paths` paths. */
static void lay_out(const hd_montecarlo_model *m, uint64_t paths, float *normals, hd__mc_task *task)
{
    const int coalesced = m->normals == HD_NORMALS_COALESCED;

    task->normals = normals;
    task->path_stride = coalesced ? 1 : 2 * (uint64_t)m->steps;
    task->asset_stride = coalesced ? paths : 1;
    task->step_stride = coalesced ? 2 * paths : 2;
}

/* Normals of `paths` paths, in whole rows, from the task's tile on. */
static hd_status launch_normals(const hd__mc_task *task, uint64_t paths, int serial, float *out,
                                hd_stream *stream)
{
    const hd_launch_config config = serial ? hd_launch_with(
                                                 hd_dim((uint32_t)(paths / HD__MC_SLOTS), 1, 1),
                                                 hd_dim(1, 1, 1), 0, stream)
                                           : hd_launch_3d((size_t)paths, (task->steps + 1) / 2, 1,
                                                          hd_dim(HD__MC_SLOTS, 1, 1), stream);

    return hd_launch(hd__mc_normals, config, *task, paths, out);
}

static hd_status run_tiles(const hd_montecarlo_model *m, const plan *p, hd__mc_task *task,
                           void *extra, hd_stream *stream)
{
    const int row = (int)m->payoff + (m->antithetic ? HD_PAYOFF_COUNT_ : 0);
    const int column = from_memory(m->normals) ? 1 : m->normals == HD_NORMALS_SOBOL ? 2 : 0;
    const uint64_t tile = (uint64_t)p->rows * HD__MC_SLOTS;
    const int serial = HD_SERIAL_THREADS && !hd__montecarlo_force_threads;
    void *args[] = {task};

    for (uint32_t at = 0; at < p->tiles; at += p->batch) {
        const uint32_t tiles = p->batch < p->tiles - at ? p->batch : p->tiles - at;
        task->tile = at;
        if (from_memory(m->normals)) {
            const uint64_t paths = tiles * tile;
            lay_out(m, paths, (float *)extra, task);
            HD_TRY(launch_normals(task, paths, serial, (float *)extra, stream));
        }
        HD_TRY(hd_launch_kernel(
            kernels[row][column],
            hd_launch_with(hd_dim(tiles, 1, 1), hd_dim(serial ? 1 : HD__MC_SLOTS, 1, 1), 0, stream),
            args, __FILE__, __LINE__));
    }
    return HD_OK;
}

static hd_status run(const hd_montecarlo_model *m, const plan *p, uint64_t first, uint64_t paths,
                     void *memory, double *out, hd_stream *stream)
{
    const hd_random from = {HD_PHILOX, m->seed, 0, 0};
    hd__mc_task task = task_of(m, p, first, paths, memory);
    void *extra = (char *)memory + p->partial_bytes;

    if (m->normals == HD_NORMALS_SOBOL) {
        task.directions = (const uint32_t *)extra;
        HD_TRY(
            hd__sobol_prepare(2 * m->steps, HD_SOBOL_SCRAMBLED, &from, (uint32_t *)extra, stream));
    }
    HD_TRY(run_tiles(m, p, &task, extra, stream));
    return hd_launch(hd__mc_finish,
                     hd_launch_with(hd_dim(1, 1, 1), hd_dim(HD__MC_SLOTS, 1, 1), 0, stream),
                     p->tiles, (const double *)task.sums, (const double *)task.squares, out);
}

hd_status hd_montecarlo(const hd_montecarlo_model *model, uint64_t first, uint64_t paths,
                        hd_montecarlo_sums *out, hd_workspace *workspace, hd_stream *stream)
{
    static const char call[] = "hd_montecarlo";
    static const char mark;
    void *usable = NULL, *memory = NULL;
    hd_status status;
    plan p;

    if (!stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "stream is NULL");
    HD_TRY(check(call, model));
    HD_TRY(check_paths(call, model, first, paths));
    HD_TRY(hd__array_usable(call, "out", out, sizeof *out, 16, stream, &usable));
    if (paths == 0)
        return hd_fill_bytes(usable, 0, 1, sizeof *out, stream);
    p = plan_of(model, paths);
    (void)pthread_mutex_lock(&stream->scratch_lock);
    status = hd__scratch(call, p.partial_bytes + p.extra_bytes, 0, &mark, workspace, stream,
                         &memory);
    if (status >= 0)
        status = run(model, &p, first, paths, memory, (double *)usable, stream);
    (void)pthread_mutex_unlock(&stream->scratch_lock);
    return status;
}

/* F. Black, M. Scholes, 1973. */
static double black_scholes(const hd_montecarlo_model *m)
{
    const double deviation = m->volatility * sqrt(m->years), root = 0.70710678118654752440;
    const double d1 = (log(m->spot / m->strike) + m->rate * m->years) / deviation + 0.5 * deviation;

    return 0.5 * (m->spot * erfc(-d1 * root) -
                  m->strike * exp(-m->rate * m->years) * erfc(-(d1 - deviation) * root));
}

hd_status hd_montecarlo_estimate_of(const hd_montecarlo_model *model, uint64_t paths,
                                    const hd_montecarlo_sums *sums,
                                    hd_montecarlo_estimate *estimate)
{
    static const char call[] = "hd_montecarlo_estimate_of";
    double n = (double)paths, mean, variance, discount;

    HD_TRY(check(call, model));
    if (!sums || !estimate || paths < 2)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s",
                        paths < 2 ? "an estimate needs two paths" : "an argument is NULL");
    mean = sums->sum / n;
    variance = (sums->squares / n - mean * mean) * (n / (n - 1));
    discount = exp(-model->rate * model->years);
    estimate->value = discount * mean;
    estimate->error = variance > 0 ? discount * sqrt(variance / n) : 0;
    estimate->low = estimate->value - 1.959963984540054 * estimate->error;
    estimate->high = estimate->value + 1.959963984540054 * estimate->error;
    estimate->exact = model->payoff == HD_EUROPEAN_CALL ? black_scholes(model) : (double)NAN;
    return HD_OK;
}
