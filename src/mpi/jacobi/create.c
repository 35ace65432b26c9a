/* SPDX-License-Identifier: Apache-2.0 */
/* create.c - a field distributed over ranks: stripes, memory, messages; loading and storing the
   field. */
#include <stdlib.h>

#include "jacobi.h"

/* ---- the plan, the same on every rank -------------------------------------------------------- */

static hd_status check_problem(const hd_jacobi *problem, const char *call)
{
    hd_jacobi alone;
    size_t bytes;
    if (problem->held)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "cells are held on one device alone");
    for (unsigned i = 0; i < 4; i++)
        if (problem->sides[i] == HD_SIDE_HALO)
            return hd__fail(HD_ERR_ARGUMENT, call, "sides of the whole field cannot be halos");
    if (problem->nx == 0 || problem->ny == 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "a field of %zu x %zu cells", problem->nx,
                        problem->ny);
    alone = *problem;
    alone.sweeps = 1;
    alone.pitch = 0;
    return hd_jacobi2d_workspace(&alone, &bytes);
}

static const char *name_of_type(int64_t type)
{
    return hd_type_name((hd_type)type);
}

/* Ranks with different problems would send messages that others do not expect. Collective. */
static hd_status compare_problems(const hd_mpi *mpi, const hd_jacobi *problem, const char *call)
{
    const hd__mpi_fact facts[] = {
        {"nx", (int64_t)problem->nx, NULL},    {"ny", (int64_t)problem->ny, NULL},
        {"type", problem->type, name_of_type}, {"depth", problem->depth, NULL},
        {"sides[0]", problem->sides[0], NULL}, {"sides[1]", problem->sides[1], NULL},
        {"sides[2]", problem->sides[2], NULL}, {"sides[3]", problem->sides[3], NULL}};
    return hd__mpi_compare(mpi, facts, sizeof facts / sizeof *facts, call);
}

/* Collective, even for a rank whose problem is invalid. */
static hd_status agree_on_problem(hd_mpi *mpi, const hd_jacobi *problem, const char *call)
{
    hd_status status;
    HD_TRY(hd_mpi_agree(mpi, compare_problems(mpi, problem, call)));
    status = check_problem(problem, call);
    return hd_mpi_agree(mpi, status);
}

/* The maximum depth that this rank supports, that was requested, and for which the smallest stripe
   has enough rows. */
static hd_status choose_depth(hd_mpi_jacobi *j, const hd_jacobi *problem, const char *call)
{
    int most = !hd__jacobi_lanes() ? 1 : j->type == HD_F64 ? 4 : 8, depth = 8, least;
    hd_part part;
    while (depth > most || (problem->depth && depth > (int)problem->depth))
        depth /= 2;
    for (int r = 0; r < j->mpi->size && j->mpi->size > 1; r++) {
        HD_TRY(hd_domain_part(&j->domain, (unsigned)r, &part));
        while ((size_t)depth > part.ny)
            depth /= 2;
    }
    least = depth;
    HD_TRY(hd__mpi_check(call, MPI_Allreduce(&depth, &least, 1, MPI_INT, MPI_MIN, j->mpi->comm)));
    j->depth = (unsigned)least;
    return HD_OK;
}

static hd_status plan(hd_mpi_jacobi *j, const hd_jacobi *problem)
{
    const uint64_t cells = (uint64_t)problem->nx * problem->ny;
    const size_t quad_bytes = HD__JACOBI_QUAD * sizeof(double);
    j->type = problem->type;
    j->element = hd_type_bytes(problem->type);
    j->nx = problem->nx;
    j->pitch = (problem->nx * j->element + quad_bytes - 1) / quad_bytes * quad_bytes / j->element;
    j->band = hd__jacobi2d_band(cells);
    j->quads = (uint32_t)((problem->nx + HD__JACOBI_QUAD - 1) / HD__JACOBI_QUAD);
    j->all_sums = (problem->ny + j->band - 1) / j->band * (uint64_t)j->quads;
    j->all_tiles = (uint32_t)((j->all_sums + HD__JACOBI_TILE - 1) / HD__JACOBI_TILE);
    j->domain = (hd_domain){.nx = problem->nx,
                            .ny = problem->ny,
                            .tiles_x = 1,
                            .tiles_y = (unsigned)j->mpi->size,
                            .align_y = j->band};
    /* The kernels wrap around along an axis that is not split. */
    j->domain.periodic_y = j->mpi->size > 1 && problem->sides[2] == HD_SIDE_PERIODIC;
    HD_TRY(hd_domain_part(&j->domain, (unsigned)j->mpi->rank, &j->place));
    j->bands = (uint32_t)((j->place.ny + j->band - 1) / j->band);
    for (unsigned i = 0; i < 4; i++)
        j->sides[i] = problem->sides[i];
    for (unsigned side = 0; side < 2; side++)
        if (j->place.neighbours[side ? 2 : 0][1] >= 0)
            j->sides[2 + side] = HD_SIDE_HALO;
    return HD_OK;
}

/* Rows of messages have the field's pitch. */
static hd_status plan_messages(hd_mpi_jacobi *j)
{
    if (j->mpi->size == 1)
        return HD_OK;
    HD_TRY(
        hd_halo_plan(&j->domain, (unsigned)j->mpi->rank, j->depth, 0, j->plan, &j->message_count));
    for (unsigned i = 0; i < j->message_count; i++) {
        const hd_halo_message *plan = &j->plan[i];
        hd_mpi_message *m = &j->messages[i];
        m->peer = (int)plan->part;
        m->send_tag = (int)plan->tag;
        m->receive_tag = (int)plan->opposite;
        m->send_bytes = ((plan->ny - 1) * j->pitch + plan->nx) * j->element;
        m->receive_bytes = m->send_bytes;
    }
    return HD_OK;
}

/* The last bands contain the rows that a pass sends; two of them if the last one is too short. */
static void plan_edges(hd_mpi_jacobi *j)
{
    const size_t rest = j->place.ny - (size_t)(j->bands - 1) * j->band;
    const uint32_t bands = rest < j->depth ? 2 : 1;
    j->last = j->bands > bands + 1 ? j->bands - bands : 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static hd_status make_streams(hd_mpi_jacobi *j)
{
    const int device = j->mpi->device;
    int64_t greatest = 0;
    HD_TRY(hd_device_get(device, HD_ATTR_STREAM_PRIORITY_GREATEST, &greatest));
    HD_TRY(hd_stream_create_with(device, HD_STREAM_NON_BLOCKING, 0, &j->main));
    /* The outermost bands have priority, because neighbours wait for them. */
    HD_TRY(hd_stream_create_with(device, HD_STREAM_NON_BLOCKING, (int)greatest, &j->edge));
    HD_TRY(hd_event_create(device, 0, &j->edged));
    return hd_event_create(device, 0, &j->swept);
}

/* Symmetric fields have the size of the largest rank's. */
static hd_status max_rows(const hd_mpi_jacobi *j, size_t *rows)
{
    hd_part part;

    for (int r = 0; r < j->mpi->size; r++) {
        HD_TRY(hd_domain_part(&j->domain, (unsigned)r, &part));
        *rows = part.ny > *rows ? part.ny : *rows;
    }
    return HD_OK;
}

/* Collective; gives all ranks the same status. */
static hd_status open_symmetric(hd_mpi_jacobi *j)
{
    size_t rows = 0;

    HD_TRY(max_rows(j, &rows));
    rows += 2 * (size_t)HD__MPI_ROWS_BEYOND;
    for (unsigned i = 0; i < 2; i++)
        HD_TRY(hd__shmem_alloc(j->mpi, hd_bytes(rows, j->pitch * j->element),
                               "hd_mpi_jacobi_create", &j->field[i]));
    return hd__mpi_puts_open(j);
}

static hd_status make_fields(hd_mpi_jacobi *j)
{
    const size_t beyond = HD__MPI_ROWS_BEYOND, cells = (j->place.ny + 2 * beyond) * j->pitch;
    for (unsigned i = 0; i < 2; i++) {
        void **memory = &j->field[i].memory;
        if (!j->mpi->puts)
            HD_TRY(hd_alloc_bytes(memory, cells, j->element, HD_MEM_DEVICE, j->mpi->device));
        HD_TRY(hd_fill_bytes(*memory, 0, 1, cells * j->element, j->main));
        j->first[i] = (char *)*memory + beyond * j->pitch * j->element;
    }
    return hd_stream_synchronize(j->main);
}

static void free_fields(hd_mpi_jacobi *j)
{
    for (unsigned i = 0; i < 2; i++)
        if (j->mpi->puts)
            hd__shmem_free(j->mpi, &j->field[i]);
        else
            (void)hd_free(j->field[i].memory);
}

static hd_status drain(hd_stream *stream)
{
    HD__RELEASING;
    return hd_stream_synchronize(stream);
}

hd_status hd_mpi_jacobi_destroy(hd_mpi_jacobi *j)
{
    HD__RELEASING;
    hd_status status = HD_OK, also = HD_OK;
    if (!j)
        return HD_OK;
    HD_TRY(hd__handle_claim("hd_mpi_jacobi_destroy", j, "Jacobi solver"));
    if (j->main)
        status = drain(j->main);
    if (j->edge)
        also = drain(j->edge);
    hd__mpi_sums_close(j);
    if (j->mpi->puts)
        hd__mpi_puts_close(j);
    free_fields(j);
    (void)hd_event_destroy(j->swept);
    (void)hd_event_destroy(j->edged);
    (void)hd_stream_destroy(j->main);
    (void)hd_stream_destroy(j->edge);
    hd__handle_free(j);
    return status < 0 ? status : also;
}

static hd_status open_streams(hd_mpi_jacobi *j)
{
    HD_TRY(plan_messages(j));
    plan_edges(j);
    return make_streams(j);
}

static hd_status open_memory(hd_mpi_jacobi *j)
{
    HD_TRY(make_fields(j));
    return hd__mpi_sums_open(j);
}

/* Collective; gives all ranks the same status. */
static hd_status open_all(hd_mpi_jacobi *j, const hd_jacobi *problem, const char *call)
{
    HD_TRY(hd_mpi_agree(j->mpi, choose_depth(j, problem, call)));
    HD_TRY(hd_mpi_agree(j->mpi, open_streams(j)));
    if (j->mpi->puts)
        HD_TRY(open_symmetric(j));
    return hd_mpi_agree(j->mpi, open_memory(j));
}

hd_status hd_mpi_jacobi_create(hd_mpi *mpi, const hd_jacobi *problem, hd_mpi_jacobi **jacobi)
{
    static const char call[] = "hd_mpi_jacobi_create";
    hd_mpi_jacobi *made;
    hd_status status;
    if (!mpi || !problem || !jacobi)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL",
                        !mpi       ? "mpi"
                        : !problem ? "problem"
                                   : "jacobi");
    HD_TRY(agree_on_problem(mpi, problem, call));
    made = hd__handle_make(sizeof *made);
    status = made ? HD_OK : hd__fail(HD_ERR_NO_MEMORY, call, "no memory");
    if (made) {
        made->mpi = mpi;
        status = plan(made, problem);
    }
    status = hd_mpi_agree(mpi, status);
    if (status >= 0)
        status = open_all(made, problem, call);
    if (status < 0) {
        (void)hd_mpi_jacobi_destroy(made);
        return status;
    }
    *jacobi = made;
    return HD_OK;
}

/* ---- loading and storing the field ----------------------------------------------------------- */

hd_status hd_mpi_jacobi_get(const hd_mpi_jacobi *j, hd_part *part, unsigned *depth)
{
    if (!j)
        return hd__fail(HD_ERR_ARGUMENT, "hd_mpi_jacobi_get", "jacobi is NULL");
    if (part)
        *part = j->place;
    if (depth)
        *depth = j->depth;
    return HD_OK;
}

static hd_status check_rows(const hd_mpi_jacobi *j, const void *rows, size_t pitch,
                            const char *call)
{
    if (!j || !rows)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", j ? "rows" : "jacobi");
    if (pitch && pitch < j->nx)
        return hd__fail(HD_ERR_ARGUMENT, call, "a row of %zu cells has %zu elements", j->nx, pitch);
    return HD_OK;
}

hd_status hd_mpi_jacobi_load(hd_mpi_jacobi *j, const void *rows, size_t pitch)
{
    static const char call[] = "hd_mpi_jacobi_load";
    hd_status status;
    HD_TRY(check_rows(j, rows, pitch, call));
    j->loaded = 0;
    j->turn = 0;
    status = hd_copy_2d(j->first[0], j->pitch * j->element, rows,
                        (pitch ? pitch : j->nx) * j->element, j->nx * j->element, j->place.ny,
                        j->main);
    if (status >= 0)
        status = hd_stream_synchronize(j->main);
    HD_TRY(hd_mpi_agree(j->mpi, status));
    j->loaded = 1;
    return HD_OK;
}

hd_status hd_mpi_jacobi_store(hd_mpi_jacobi *j, void *rows, size_t pitch)
{
    static const char call[] = "hd_mpi_jacobi_store";
    HD_TRY(check_rows(j, rows, pitch, call));
    if (!j->loaded)
        return hd__fail(HD_ERR_STATE, call, "there is no field");
    HD_TRY(hd_copy_2d(rows, (pitch ? pitch : j->nx) * j->element, j->first[j->turn],
                      j->pitch * j->element, j->nx * j->element, j->place.ny, j->main));
    return hd_stream_synchronize(j->main);
}
