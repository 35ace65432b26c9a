/* SPDX-License-Identifier: Apache-2.0 */
/* cg_exchange.c - exchange between devices in an iteration: elements of the direction, and sums of
   tiles. With peer access kernels store into the other device's memory and an event orders it;
   otherwise staged transfers follow on a separate stream.

   No buffer is overwritten before it was read: the sums of an iteration's second dot product go to
   all devices, so no device begins the next iteration before all have finished the product; and the
   two dot products alternate, so that each orders the reuse of the other's buffers. */
#include "cg_plan.h"

#include "runtime/backend.h"

static const hd__cg_link *link_of(const hd_cg *solver, unsigned from, unsigned to)
{
    return &solver->links[from * solver->count + to];
}

/* Later work of `to` waits for what `from` has sent to it. */
static hd_status wait_for(hd_cg *solver, unsigned from, unsigned to)
{
    hd__cg_part *part = &solver->parts[from];
    return hd_stream_wait(solver->parts[to].stream,
                          link_of(solver, from, to)->direct ? part->ready : part->sent);
}

/* Records that the stream's results so far may be read and sent. */
static hd_status publish(hd__cg_part *part)
{
    HD_TRY(hd_event_record(part->ready, part->stream));
    return part->share.staged ? hd_stream_wait(part->copies, part->ready) : HD_OK;
}

/* ---- halo ------------------------------------------------------------------------------------ */

static hd_status pack(const hd_cg *solver, hd__cg_part *part, int always)
{
    const hd_launch_config config = hd_launch_loop(part->pack.count, 256, part->stream);
    hd__cg_pack_task task = part->pack;
    if (task.count == 0)
        return HD_OK;
    task.state = always ? NULL : part->task.state;
    return solver->type == HD_F32 ? hd_launch(hd__cg_pack_f32, config, task)
                                  : hd_launch(hd__cg_pack_f64, config, task);
}

static hd_status send_staged(hd_cg *solver, unsigned from)
{
    hd__cg_part *part = &solver->parts[from];
    const size_t element = hd_type_bytes(solver->type);
    for (unsigned to = 0; to < solver->count; to++) {
        const hd__cg_link *link = link_of(solver, from, to);
        hd__cg_part *other = &solver->parts[to];
        if (link->count == 0 || link->direct)
            continue;
        HD_TRY(hd_transfer((char *)other->task.p + (other->share.rows + link->halo_at) * element,
                           other->share.device, (char *)part->packed + link->pack_at * element,
                           part->share.device, link->count * element, part->copies));
    }
    return hd_event_record(part->sent, part->copies);
}

/* With a group, all-reduces order the devices, but not through stream events: `from` waits until
   the receivers have read the last halo. The packed buffer needs no wait, since its data has
   arrived. */
static hd_status wait_for_readers(hd_cg *solver, unsigned from)
{
    for (unsigned to = 0; to < solver->count; to++)
        if (link_of(solver, from, to)->count)
            HD_TRY(hd_stream_wait(solver->parts[from].stream, solver->parts[to].read));
    return HD_OK;
}

hd_status hd__cg_halo_send(hd_cg *solver, int always, int again)
{
    for (unsigned rank = 0; rank < solver->count; rank++) {
        hd__cg_part *part = &solver->parts[rank];
        if (again && solver->group)
            HD_TRY(wait_for_readers(solver, rank));
        HD_TRY(pack(solver, part, always));
        HD_TRY(publish(part));
        if (part->share.staged)
            HD_TRY(send_staged(solver, rank));
    }
    return HD_OK;
}

hd_status hd__cg_halo_wait(hd_cg *solver, unsigned rank)
{
    for (unsigned from = 0; from < solver->count; from++)
        if (link_of(solver, from, rank)->count)
            HD_TRY(wait_for(solver, from, rank));
    return HD_OK;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static hd_status send_sums(hd_cg *solver, unsigned from, unsigned first, unsigned last)
{
    hd__cg_part *part = &solver->parts[from];
    for (unsigned to = 0; to < solver->count; to++) {
        hd__cg_part *other = &solver->parts[to];
        if (to == from || link_of(solver, from, to)->direct)
            continue;
        for (unsigned plane = first; plane <= last; plane++) {
            const size_t at = plane * solver->tiles + part->task.first_tile;
            HD_TRY(hd_transfer(other->task.sums + at, other->share.device, part->task.sums + at,
                               part->share.device, part->tiles * sizeof(double), part->copies));
        }
    }
    return hd_event_record(part->sent, part->copies);
}

/* Sums are never -0, so the zeros that other devices add change no bits. */
static hd_status reduce_sums(hd_cg *solver, unsigned first, unsigned last)
{
    const size_t at = first * solver->tiles, n = (last + 1 - first) * solver->tiles;
    for (unsigned rank = 0; rank < solver->count; rank++) {
        solver->sums_in[rank] = solver->parts[rank].own_sums + at;
        solver->sums_out[rank] = solver->parts[rank].task.sums + at;
        solver->streams[rank] = solver->parts[rank].stream;
    }
    return hd_group_all_reduce(solver->group, solver->sums_in, solver->sums_out, n, HD_F64, HD_SUM,
                               solver->streams);
}

hd_status hd__cg_sums(hd_cg *solver, unsigned first, unsigned last)
{
    if (solver->group)
        return reduce_sums(solver, first, last);
    for (unsigned from = 0; from < solver->count; from++) {
        HD_TRY(publish(&solver->parts[from]));
        if (solver->parts[from].share.staged)
            HD_TRY(send_sums(solver, from, first, last));
    }
    for (unsigned to = 0; to < solver->count; to++)
        for (unsigned from = 0; from < solver->count; from++)
            if (from != to)
                HD_TRY(wait_for(solver, from, to));
    return HD_OK;
}
