/* SPDX-License-Identifier: Apache-2.0 */
/* cg.c - hd_cg_solve: iterations of conjugate gradients over the devices of a solver. */
#include "cg_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "runtime/backend.h"

hd__cg_force hd__cg_forced;

/* ---- an iteration ---------------------------------------------------------------------------- */

typedef hd_status part_launch(const hd_cg *solver, hd__cg_part *part);

static int lanes(void)
{
    return !HD_SERIAL_THREADS || hd__cg_forced.lanes;
}

static hd_launch_config blocks_of(const hd__cg_part *part, size_t blocks)
{
    return hd_launch_with(hd_dim((unsigned)blocks, 1, 1), hd_dim(lanes() ? HD__CG_SLOTS : 1, 1, 1),
                          0, part->stream);
}

#define TILES(name)                                                                                \
    static hd_status name(const hd_cg *solver, hd__cg_part *part)                                  \
    {                                                                                              \
        const hd_launch_config config = blocks_of(part, part->tiles);                              \
        if (part->tiles == 0)                                                                      \
            return HD_OK;                                                                          \
        return solver->type == HD_F32 ? hd_launch(hd__cg_##name##_f32, config, part->task)         \
                                      : hd_launch(hd__cg_##name##_f64, config, part->task);        \
    }
TILES(begin)
TILES(dot)
TILES(update)
#undef TILES

#define SCALARS(name)                                                                              \
    static hd_status name(const hd_cg *solver, hd__cg_part *part)                                  \
    {                                                                                              \
        (void)solver;                                                                              \
        return hd_launch(hd__cg_##name, blocks_of(part, 1), part->task);                           \
    }
SCALARS(scalars_begin)
SCALARS(scalars_alpha)
SCALARS(scalars_beta)
#undef SCALARS

static hd_status direction(const hd_cg *solver, hd__cg_part *part)
{
    const hd_launch_config config = hd_launch_loop(part->share.rows, 256, part->stream);
    if (part->share.rows == 0)
        return HD_OK;
    return solver->type == HD_F32 ? hd_launch(hd__cg_direction_f32, config, part->task)
                                  : hd_launch(hd__cg_direction_f64, config, part->task);
}

static hd_status on_all(hd_cg *solver, part_launch *launch)
{
    for (unsigned rank = 0; rank < solver->count; rank++)
        HD_TRY(launch(solver, &solver->parts[rank]));
    return HD_OK;
}

/* q = A p for a device's rows: first those that need no halo. */
static hd_status product(hd_cg *solver, unsigned rank, int always)
{
    hd__cg_part *part = &solver->parts[rank];
    const uint32_t *stop = always ? NULL : &part->task.state->stop;
    for (int k = 0; k < 2; k++) {
        char *q = (char *)part->task.q + part->shift[k] * hd_type_bytes(solver->type);
        if (k == 1)
            HD_TRY(hd__cg_halo_wait(solver, rank));
        if (part->plan[k])
            HD_TRY(hd__spmv_launch(part->plan[k], part->task.p, q, stop, part->stream));
    }
    return solver->group ? hd_event_record(part->read, part->stream) : HD_OK;
}

static hd_status products(hd_cg *solver, int always, int again)
{
    HD_TRY(hd__cg_halo_send(solver, always, again));
    for (unsigned rank = 0; rank < solver->count; rank++)
        HD_TRY(product(solver, rank, always));
    return HD_OK;
}

/* `again`: not the first iteration since the host last waited. */
static hd_status iterate(hd_cg *solver, int again)
{
    HD_TRY(on_all(solver, direction));
    HD_TRY(products(solver, 0, again));
    HD_TRY(on_all(solver, dot));
    HD_TRY(hd__cg_sums(solver, HD__CG_PLANE_PQ, HD__CG_PLANE_PQ));
    HD_TRY(on_all(solver, scalars_alpha));
    HD_TRY(on_all(solver, update));
    HD_TRY(hd__cg_sums(solver, HD__CG_PLANE_RZ, HD__CG_PLANE_RR));
    return on_all(solver, scalars_beta);
}

/* r = b - A x, and its scalars. */
static hd_status residual(hd_cg *solver)
{
    for (unsigned rank = 0; rank < solver->count; rank++) {
        hd__cg_part *part = &solver->parts[rank];
        HD_TRY(hd_copy_bytes(part->task.p, part->task.x, part->share.rows,
                             hd_type_bytes(solver->type), part->stream));
    }
    HD_TRY(products(solver, 1, 0));
    HD_TRY(on_all(solver, begin));
    HD_TRY(hd__cg_sums(solver, HD__CG_PLANE_PQ, HD__CG_PLANE_RR));
    return on_all(solver, scalars_begin);
}

/* ---- a graph of iterations ------------------------------------------------------------------- */

/* From here on the streams of all devices take part; the first one waits for the others at the
   end. */
static hd_status record_window(hd_cg *solver)
{
    hd_stream *first = solver->parts[0].stream;
    HD_TRY(hd_event_record(solver->parts[0].joined, first));
    for (unsigned rank = 1; rank < solver->count; rank++)
        HD_TRY(hd_stream_wait(solver->parts[rank].stream, solver->parts[0].joined));
    for (unsigned i = 0; i < solver->options.look; i++)
        HD_TRY(iterate(solver, i > 0));
    for (unsigned rank = 1; rank < solver->count; rank++) {
        HD_TRY(hd_event_record(solver->parts[rank].joined, solver->parts[rank].stream));
        HD_TRY(hd_stream_wait(first, solver->parts[rank].joined));
    }
    return HD_OK;
}

static hd_status make_graph(hd_cg *solver)
{
    hd_stream *first = solver->parts[0].stream;
    hd_graph *graph = NULL;
    hd_status status, ended;
    HD_TRY(hd_stream_capture_begin(first));
    status = record_window(solver);
    ended = hd_stream_capture_end(first, &graph);
    if (status >= 0)
        status = ended;
    if (status >= 0)
        status = hd_graph_instantiate(graph, &solver->graph);
    (void)hd_graph_destroy(graph);
    return status;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static hd_status named(const hd_cg *solver, unsigned rank, hd_status status)
{
    const hd_error *e = hd_error_last();
    return hd__fail(status, "hd_cg_solve", "rank %u (device %d): %s", rank,
                    solver->parts[rank].share.device,
                    e->status == status && e->message[0] ? e->message : hd_status_text(status));
}

/* With a group, a device that fails or times out ends the others' waits. */
static hd_status wait_for_all(hd_cg *solver)
{
    if (solver->group)
        HD_TRY(hd_group_synchronize(solver->group));
    for (unsigned rank = 0; rank < solver->count; rank++) {
        const hd_status status = hd_stream_synchronize(solver->parts[rank].stream);
        if (status < 0)
            return named(solver, rank, status);
    }
    return HD_OK;
}

/* Ends all work after a failure; the error names the device if one was lost. */
static hd_status give_up(hd_cg *solver, hd_status status)
{
    const int tells = strstr(hd_error_last()->message, "(device ") != NULL;
    unsigned lost = solver->count;
    solver->failed = 1;
    hd__error_mute(1);
    if (solver->group)
        (void)hd_group_abort(solver->group);
    for (unsigned rank = 0; rank < solver->count; rank++) {
        (void)hd_stream_synchronize(solver->parts[rank].stream);
        (void)hd_stream_synchronize(solver->parts[rank].copies);
        if (hd_device_state(solver->parts[rank].share.device) < 0)
            lost = rank;
    }
    hd__error_mute(0);
    return tells || lost == solver->count ? status : named(solver, lost, status);
}

/* ---- solving --------------------------------------------------------------------------------- */

static hd_status look(hd_cg *solver)
{
    HD_TRY(hd_copy(solver->seen, solver->parts[0].task.state, 1, solver->parts[0].stream));
    return wait_for_all(solver);
}

static hd_status window(hd_cg *solver, size_t iterations)
{
    if (solver->options.issue == HD_CG_GRAPH && iterations == solver->options.look) {
        if (!solver->graph)
            HD_TRY(make_graph(solver));
        return hd_graph_launch(solver->graph, solver->parts[0].stream);
    }
    for (size_t i = 0; i < iterations; i++)
        HD_TRY(iterate(solver, i > 0));
    return HD_OK;
}

static hd_status load_part(const hd_cg *solver, hd__cg_part *part, const void *b, const void *x,
                           const hd__cg_state *state)
{
    const size_t element = hd_type_bytes(solver->type), at = part->share.first_row * element;
    HD_TRY(hd_copy_blocking_bytes(part->task.x, (const char *)x + at, part->share.rows, element,
                                  part->stream));
    HD_TRY(hd_copy_blocking_bytes((void *)(uintptr_t)part->task.b, (const char *)b + at,
                                  part->share.rows, element, part->stream));
    return hd_copy_blocking(part->task.state, state, 1, part->stream);
}

static hd_status load(hd_cg *solver, const void *b, const void *x, double tolerance)
{
    const hd__cg_state state = {.tolerance = tolerance,
                                .least = solver->type == HD_F32 ? HD__CG_LEAST_F32
                                                                : HD__CG_LEAST_F64};
    for (unsigned rank = 0; rank < solver->count; rank++) {
        const hd_status status = load_part(solver, &solver->parts[rank], b, x, &state);
        if (status < 0)
            return named(solver, rank, status);
    }
    return HD_OK;
}

static hd_status store(hd_cg *solver, void *x)
{
    const size_t element = hd_type_bytes(solver->type);
    for (unsigned rank = 0; rank < solver->count; rank++) {
        const hd__cg_part *part = &solver->parts[rank];
        const hd_status status = hd_copy_blocking_bytes((char *)x + part->share.first_row * element,
                                                        part->task.x, part->share.rows, element,
                                                        part->stream);
        if (status < 0)
            return named(solver, rank, status);
    }
    return HD_OK;
}

static double seconds_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double relative(const hd__cg_state *state)
{
    const double norm = sqrt(state->scale);
    return norm > 0 ? sqrt(state->rr) / norm : sqrt(state->rr);
}

static hd_status iterate_until(hd_cg *solver, size_t iterations, hd__cg_state *last)
{
    size_t done = 0;
    HD_TRY(look(solver));
    while (done < iterations && solver->seen->stop == HD__CG_RUNNING) {
        const size_t left = iterations - done;
        const size_t step = left < solver->options.look ? left : solver->options.look;
        HD_TRY(window(solver, step));
        HD_TRY(look(solver));
        done += step;
    }
    *last = *solver->seen;
    return HD_OK;
}

/* The residual that the iteration updates drifts away from b - A x. If only the updated
   residual has converged, the method restarts from b - A x, as long as that halves the residual:
   when it no longer does, rounding prevents further progress. */
static hd_status iterate_truly(hd_cg *solver, size_t iterations, hd__cg_state *last,
                               hd_cg_report *made)
{
    double before;
    do {
        before = made->restarts ? made->true_residual : HUGE_VAL;
        HD_TRY(iterate_until(solver, iterations - made->iterations, last));
        made->iterations += last->iterations;
        HD_TRY(residual(solver));
        HD_TRY(look(solver));
        made->true_residual = relative(solver->seen);
        made->converged = last->stop == HD__CG_CONVERGED && solver->seen->stop == HD__CG_CONVERGED;
    } while (last->stop == HD__CG_CONVERGED && !made->converged &&
             made->true_residual < before / 2 && made->iterations < iterations && ++made->restarts);
    return HD_OK;
}

static int all_zero(const hd_cg *solver, const void *b)
{
    const float *narrow = b;
    const double *wide = b;
    for (size_t i = 0; i < solver->n; i++)
        if (solver->type == HD_F32 ? narrow[i] != 0 : wide[i] != 0)
            return 0;
    return 1;
}

static hd_status verdict(const char *call, const hd__cg_state *last)
{
    if (last->stop == HD__CG_TOO_SMALL)
        return hd__fail(HD_ERR_OVERFLOW, call,
                        "the sum of squares of b is 0 in f64, though b is not: scale the system");
    if (last->stop == HD__CG_NOT_FINITE && last->bb - last->bb != 0)
        return hd__fail(HD_ERR_OVERFLOW, call, "the sum of squares of b is not finite");
    if (last->stop == HD__CG_INDEFINITE)
        return hd__fail(HD_ERR_SINGULAR, call,
                        "p.Ap = %g in iteration %u: the matrix is not positive definite", last->pq,
                        (unsigned)last->iterations + 1);
    if (last->stop == HD__CG_NOT_FINITE)
        return hd__fail(HD_ERR_OVERFLOW, call, "a number in iteration %u is not finite",
                        (unsigned)last->iterations + 1);
    return HD_OK;
}

static hd_status solve(hd_cg *solver, const void *b, void *x, double tolerance, size_t iterations,
                       hd__cg_state *last, hd_cg_report *report)
{
    hd_cg_report made = {0};
    double begun;
    HD_TRY(load(solver, b, x, tolerance));
    HD_TRY(residual(solver));
    HD_TRY(look(solver));
    if (solver->seen->bb == 0 && !all_zero(solver, b)) {
        last->stop = HD__CG_TOO_SMALL;
        *report = made;
        return HD_OK;
    }
    begun = seconds_now();
    HD_TRY(iterate_truly(solver, iterations, last, &made));
    made.seconds = seconds_now() - begun;
    made.residual = relative(last);
    made.norm = sqrt(last->bb);
    HD_TRY(store(solver, x));
    *report = made;
    return HD_OK;
}

hd_status hd_cg_solve(hd_cg *solver, const void *b, void *x, double tolerance, size_t iterations,
                      hd_cg_report *report)
{
    static const char call[] = "hd_cg_solve";
    hd__cg_state last = {0};
    hd_status status;
    if (!solver || !report)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", solver ? "report" : "solver");
    if (solver->n && (!b || !x))
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", b ? "x" : "b");
    if (!(tolerance >= 0))
        return hd__fail(HD_ERR_ARGUMENT, call, "the tolerance is %g", tolerance);
    if (solver->failed)
        return hd__fail(HD_ERR_STATE, call, "an earlier solution failed");
    status = solve(solver, b, x, tolerance, iterations, &last, report);
    return status < 0 ? give_up(solver, status) : verdict(call, &last);
}
