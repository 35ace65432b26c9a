/* SPDX-License-Identifier: Apache-2.0 */
/* laplace.c - hd_laplace2d, hd_laplace3d: sweeps until the field has converged. */
#include <heddle/laplace.h>

#include "jacobi_plan.h"
#include "runtime/backend.h"

typedef hd_status sweeps_fn(const hd_jacobi *, void *, void *, void **, hd_workspace *,
                            hd_stream *);

static hd_status check(const char *call, const hd_jacobi *problem, double tolerance,
                       const hd_laplace_report *report)
{
    if (!problem)
        return hd__fail(HD_ERR_ARGUMENT, call, "problem is NULL");
    if (!report)
        return hd__fail(HD_ERR_ARGUMENT, call, "report is NULL");
    if (!(tolerance >= 0))
        return hd__fail(HD_ERR_ARGUMENT, call, "the tolerance is not 0 or more");
    if (!problem->norms)
        return hd__fail(HD_ERR_ARGUMENT, call, "norms is NULL");
    return HD_OK;
}

static hd_status solve(const char *call, sweeps_fn *sweeps, const hd_jacobi *problem,
                       double tolerance, size_t group, void *field, void *other,
                       hd_laplace_report *report, hd_workspace *workspace, hd_stream *stream)
{
    hd_laplace_report made = {0};
    hd_jacobi part;
    HD_TRY(check(call, problem, tolerance, report));
    part = *problem;
    if (group == 0)
        group = 64;
    made.result = field;
    while (!made.converged && made.sweeps < problem->sweeps) {
        void *const from = made.result, *const to = from == field ? other : field;
        const size_t left = problem->sweeps - made.sweeps;
        part.sweeps = left < group ? left : group;
        HD_TRY(sweeps(&part, from, to, &made.result, workspace, stream));
        HD_TRY(hd_copy_blocking(&made.norm, problem->norms + part.sweeps - 1, 1, stream));
        if (made.sweeps == 0) /* later groups are no larger */
            made.depth = hd__jacobi_first_depth(&part, sweeps == hd_jacobi3d ? 3 : 2);
        made.sweeps += part.sweeps;
        made.converged = made.norm <= tolerance;
    }
    *report = made;
    return HD_OK;
}

hd_status hd_laplace2d(const hd_jacobi *problem, double tolerance, size_t group, void *field,
                       void *other, hd_laplace_report *report, hd_workspace *workspace,
                       hd_stream *stream)
{
    return solve("hd_laplace2d", hd_jacobi2d, problem, tolerance, group, field, other, report,
                 workspace, stream);
}

hd_status hd_laplace3d(const hd_jacobi *problem, double tolerance, size_t group, void *field,
                       void *other, hd_laplace_report *report, hd_workspace *workspace,
                       hd_stream *stream)
{
    return solve("hd_laplace3d", hd_jacobi3d, problem, tolerance, group, field, other, report,
                 workspace, stream);
}
