/* SPDX-License-Identifier: Apache-2.0 */
/* cg_make.c - hd_cg_create: distributes a system over devices. */
#include "cg_plan.h"

#include <stdlib.h>

#include "runtime/backend.h"

enum { USUAL_LOOK = 16, MAX_DEVICES = 1024 };

const char *hd_cg_preconditioner_name(hd_cg_preconditioner preconditioner)
{
    static const char *const names[] = {
#define NAME(name, text, what) text,
        HD_CG_PRECONDITIONER_LIST(NAME)
#undef NAME
    };
    return (unsigned)preconditioner < HD_CG_PRECONDITIONER_COUNT_ ? names[preconditioner] : "?";
}

const char *hd_cg_issue_name(hd_cg_issue issue)
{
    static const char *const names[] = {
#define NAME(name, text, what) text,
        HD_CG_ISSUE_LIST(NAME)
#undef NAME
    };
    return (unsigned)issue < HD_CG_ISSUE_COUNT_ ? names[issue] : "?";
}

const char *hd_cg_sums_name(hd_cg_sums sums)
{
    static const char *const names[] = {
#define NAME(name, text, what) text,
        HD_CG_SUMS_LIST(NAME)
#undef NAME
    };
    return (unsigned)sums < HD_CG_SUMS_COUNT_ ? names[sums] : "?";
}

static hd_status check(const char *call, const int *devices, unsigned count, const hd_csr *matrix,
                       const hd_cg_options *options)
{
    HD_TRY(hd_csr_check(matrix));
    if (matrix->rows != matrix->columns)
        return hd__fail(HD_ERR_ARGUMENT, call, "the matrix has %zu rows and %zu columns",
                        matrix->rows, matrix->columns);
    if (!devices || count == 0 || count > MAX_DEVICES)
        return hd__fail(HD_ERR_ARGUMENT, call, "%u devices", devices ? count : 0);
    for (unsigned a = 0; a < count; a++)
        for (unsigned b = 0; b < a; b++)
            if (devices[a] == devices[b])
                return hd__fail(HD_ERR_ARGUMENT, call, "device %d is listed twice", devices[a]);
    if ((unsigned)options->preconditioner >= HD_CG_PRECONDITIONER_COUNT_ ||
        (unsigned)options->issue >= HD_CG_ISSUE_COUNT_ ||
        (unsigned)options->sums >= HD_CG_SUMS_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown options %d, %d, %d",
                        (int)options->preconditioner, (int)options->issue, (int)options->sums);
    return HD_OK;
}

static hd_status alloc_solver(const char *call, const int *devices, unsigned count,
                              const hd_csr *matrix, const hd_cg_options *options, hd_cg **solver)
{
    hd_cg *made = hd__handle_make(sizeof *made);
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a solver");
    *solver = made;
    made->count = count;
    made->n = matrix->rows;
    made->type = matrix->type;
    made->tile = hd_cg_tile(made->n);
    made->tiles = (made->n + made->tile - 1) / made->tile;
    made->options = *options;
    if (made->options.look == 0)
        made->options.look = USUAL_LOOK;
    made->bounds = calloc(count + 1, sizeof *made->bounds);
    made->parts = calloc(count, sizeof *made->parts);
    made->links = calloc((size_t)count * count, sizeof *made->links);
    made->sums_in = calloc(count, sizeof *made->sums_in);
    made->sums_out = calloc(count, sizeof *made->sums_out);
    made->streams = calloc(count, sizeof(hd_stream *));
    if (!made->bounds || !made->parts || !made->links || !made->sums_in || !made->sums_out ||
        !made->streams)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for %u devices", count);
    for (unsigned rank = 0; rank < count; rank++)
        made->parts[rank].share.device = devices[rank];
    if (options->sums == HD_CG_GROUP && count > 1)
        HD_TRY(hd_group_create(devices, count, NULL, &made->group));
    return hd_alloc_bytes((void **)(void *)&made->seen, 1, sizeof *made->seen, HD_MEM_PINNED,
                          devices[0]);
}

/* Fills the shares one after another; the host keeps the halos of all of them. */
static hd_status fill_solver(const char *call, hd_cg *solver, const hd_csr *matrix)
{
    hd__cg_split *splits = calloc(solver->count, sizeof *splits);
    int32_t *place = malloc((matrix->rows + 1) * sizeof *place);
    void *inverse = malloc((matrix->rows + 1) * hd_type_bytes(matrix->type));
    const int jacobi = solver->options.preconditioner == HD_CG_JACOBI;
    hd_status status = HD_OK;
    if (!splits || !place || !inverse)
        status = hd__fail(HD_ERR_NO_MEMORY, call, "no memory to share out %zu rows", matrix->rows);
    if (status >= 0 && jacobi)
        status = hd__cg_inverse(matrix, inverse);
    for (unsigned rank = 0; status >= 0 && rank < solver->count; rank++) {
        status = hd__cg_split_make(matrix, solver->bounds, rank, place, &splits[rank]);
        if (status >= 0)
            status = hd__cg_part_make(solver, rank, &splits[rank], jacobi ? inverse : NULL);
        hd__cg_split_drop_rows(&splits[rank]);
    }
    if (status >= 0)
        status = hd__cg_links_make(solver, splits);
    for (unsigned rank = 0; splits && rank < solver->count; rank++)
        hd__cg_split_free(&splits[rank]);
    free(splits);
    free(place);
    free(inverse);
    return status;
}

hd_status hd_cg_create(const int *devices, unsigned count, const hd_csr *matrix,
                       const hd_cg_options *options, hd_cg **solver)
{
    static const char call[] = "hd_cg_create";
    const hd_cg_options defaults = {0};
    hd_cg *made = NULL;
    hd_status status;
    if (!solver)
        return hd__fail(HD_ERR_ARGUMENT, call, "solver is NULL");
    if (!options)
        options = &defaults;
    HD_TRY(check(call, devices, count, matrix, options));
    HD_GOTO(status, fail, alloc_solver(call, devices, count, matrix, options, &made));
    hd__cg_split_rows(matrix, made->tile, count, made->bounds);
    HD_GOTO(status, fail, fill_solver(call, made, matrix));
    *solver = made;
    return HD_OK;
fail:
    (void)hd_cg_destroy(made);
    return status;
}

hd_status hd_cg_destroy(hd_cg *solver)
{
    HD__RELEASING;
    if (!solver)
        return HD_OK;
    HD_TRY(hd__handle_claim("hd_cg_destroy", solver, "solver"));
    (void)hd_graph_exec_destroy(solver->graph);
    (void)hd_group_destroy(solver->group);
    for (unsigned rank = 0; solver->parts && rank < solver->count; rank++)
        hd__cg_part_free(&solver->parts[rank]);
    (void)hd_free(solver->seen);
    free(solver->bounds);
    free(solver->parts);
    free(solver->links);
    free((void *)solver->sums_in);
    free(solver->sums_out);
    free((void *)solver->streams);
    hd__handle_free(solver);
    return HD_OK;
}

unsigned hd_cg_count(const hd_cg *solver)
{
    return solver ? solver->count : 0;
}

hd_status hd_cg_share_get(const hd_cg *solver, unsigned rank, hd_cg_share *share)
{
    if (!solver || !share || rank >= solver->count)
        return hd__fail(HD_ERR_ARGUMENT, "hd_cg_share_get", "no rank %u: there are %u ranks", rank,
                        hd_cg_count(solver));
    *share = solver->parts[rank].share;
    return HD_OK;
}
