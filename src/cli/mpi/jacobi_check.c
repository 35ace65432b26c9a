/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi_check.c - rank 0 makes all sweeps with hd_jacobi2d, and compares them with the rows that
   every rank sends. */
#include <stdlib.h>
#include <string.h>

#include "cli/solvers/jacobi/field.h"
#include "jacobi.h"

enum { PIECE = 16 << 20 }; /* bytes compared at a time */

static hd_status solve(const mpi_jacobi *m, void *host, hd_jacobi *alone, void *field, void *other)
{
    const size_t row = m->problem.nx * hd_type_bytes(m->problem.type);
    void *result = NULL;

    for (size_t y = 0; y < m->problem.ny; y++)
        jacobi_field_row(&m->problem, y, (char *)host + y * row);
    HD_TRY(hd_copy_blocking_bytes(field, host, row, m->problem.ny, m->job.stream));
    HD_TRY(hd_jacobi2d(alone, field, other, &result, NULL, m->job.stream));
    return hd_copy_blocking_bytes(host, result, row, m->problem.ny, m->job.stream);
}

/* Stores the field of one device in `host`, the norms of all sweeps in `norms`. */
static hd_status one_device(mpi_jacobi *m, void *host, double *norms)
{
    const size_t bytes = m->problem.nx * m->problem.ny * hd_type_bytes(m->problem.type);
    hd_jacobi alone = m->problem;
    void *field = NULL, *other = NULL, *device_norms = NULL;
    hd_status status = mpi_job_alloc(&m->job, &field, bytes);

    if (status >= 0)
        status = mpi_job_alloc(&m->job, &other, bytes);
    if (status >= 0)
        status = mpi_job_alloc(&m->job, &device_norms, (m->sweeps + 1) * sizeof(double));
    alone.sweeps = m->sweeps;
    alone.norms = m->every ? device_norms : NULL;
    if (status >= 0)
        status = solve(m, host, &alone, field, other);
    if (status >= 0 && alone.norms && m->sweeps)
        status = hd_copy_blocking_bytes(norms, device_norms, sizeof(double), m->sweeps,
                                        m->job.stream);
    hd_free(field);
    hd_free(other);
    hd_free(device_norms);
    return status;
}

/* Rank 0 receives the rows of rank `from` piece by piece, and compares them. */
static void take_rows(mpi_jacobi *m, int from, const hd_part *part, const char *host, char *piece)
{
    const size_t row = m->problem.nx * hd_type_bytes(m->problem.type);
    const size_t rows = row < PIECE ? PIECE / row : 1;

    for (size_t y = 0; y < part->ny; y += rows) {
        const size_t count = part->ny - y < rows ? part->ny - y : rows;
        const char *got = piece;
        if (from == 0)
            got = (const char *)m->rows + y * row;
        else
            (void)MPI_Recv(piece, (int)(count * row), MPI_BYTE, from, 0, hd_mpi_comm(m->job.mpi),
                           MPI_STATUS_IGNORE);
        for (size_t i = 0; i < count; i++)
            m->wrong_rows += memcmp(got + i * row, host + (part->y + y + i) * row, row) != 0;
    }
}

static void give_rows(const mpi_jacobi *m)
{
    const size_t row = m->problem.nx * hd_type_bytes(m->problem.type);
    const size_t rows = row < PIECE ? PIECE / row : 1;

    for (size_t y = 0; y < m->part.ny; y += rows) {
        const size_t count = m->part.ny - y < rows ? m->part.ny - y : rows;
        (void)MPI_Send((const char *)m->rows + y * row, (int)(count * row), MPI_BYTE, 0, 0,
                       hd_mpi_comm(m->job.mpi));
    }
}

/* Compares every rank's part; `host` and `piece` are rank 0's. */
static void compare_rows(mpi_jacobi *m, const char *host, char *piece)
{
    hd_part part = m->part;

    for (int r = 0; r < m->job.size; r++) {
        part = m->part;
        (void)MPI_Bcast(&part, (int)sizeof part, MPI_BYTE, r, hd_mpi_comm(m->job.mpi));
        if (m->job.rank == 0)
            take_rows(m, r, &part, host, piece);
        else if (m->job.rank == r)
            give_rows(m);
    }
}

static void compare_norms(mpi_jacobi *m, const double *norms)
{
    for (size_t i = 0; i < m->norm_count; i++)
        m->wrong_norms += memcmp(&m->norms[i], &norms[i * m->every], sizeof *norms) != 0;
}

hd_status mpi_jacobi_check(mpi_jacobi *m)
{
    const size_t row = m->problem.nx * hd_type_bytes(m->problem.type);
    const size_t piece_bytes = row < PIECE ? PIECE : row;
    char *host = NULL, *piece = NULL;
    double *norms = NULL;
    int solved = 1;

    hd_mpi_set_timeout(m->job.mpi, -1);
    if (m->job.rank == 0) {
        host = malloc(row * m->problem.ny);
        piece = malloc(piece_bytes);
        norms = malloc((m->sweeps + 1) * sizeof *norms);
        if (!host || !piece || !norms)
            m->skipped = "the whole field does not fit in memory of rank 0";
        else if (one_device(m, host, norms) < 0)
            m->skipped = "the whole field does not fit on the device of rank 0";
        solved = m->skipped == NULL;
    }
    (void)MPI_Bcast(&solved, 1, MPI_INT, 0, hd_mpi_comm(m->job.mpi));
    if (solved) {
        compare_rows(m, host, piece);
        if (m->job.rank == 0)
            compare_norms(m, norms);
    }
    hd_mpi_set_timeout(m->job.mpi, 0);
    free(host);
    free(piece);
    free(norms);
    return HD_OK;
}
