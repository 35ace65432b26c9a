/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - one field over all ranks, in three ways. Every cell has to have the host's bits. */
#include "exercise.h"

#include "host.h"

enum { NY = 37, ROWS = NY + 2 }; /* with the boundary rows */

static float start[ROWS * NX], expected[ROWS * NX], result[ROWS * NX];

static void solve_host(void)
{
    static float fields[2][ROWS * NX];

    for (int i = 0; i < ROWS * NX; i++)
        start[i] = i < NX ? 100.0f : (float)(i * 7 % 31);
    memcpy(fields[0], start, sizeof start);
    memcpy(fields[1], start, sizeof start);
    for (int s = 0; s < STEPS; s++)
        for (int y = 1; y <= NY; y++)
            for (int x = 1; x < NX - 1; x++) {
                const float *here = &fields[s % 2][y * NX + x];

                fields[1 - s % 2][y * NX + x] = ((here[-NX] + here[-1]) + (here[NX] + here[1])) *
                                                0.25f;
            }
    memcpy(expected, fields[STEPS % 2], sizeof expected);
}

/* The row of the field above a rank's own rows. */
static size_t first_row(int rank, int ranks)
{
    return (size_t)NY * (size_t)rank / (size_t)ranks;
}

static void create(part *p)
{
    const int device = hd_mpi_device(p->mpi);

    p->rank = hd_mpi_rank(p->mpi);
    p->ranks = hd_mpi_size(p->mpi);
    p->ny = first_row(p->rank + 1, p->ranks) - first_row(p->rank, p->ranks);
    if (p->ny < 3) {
        fprintf(stderr, "error: %d ranks are too many for %d rows\n", p->ranks, NY);
        exit(2);
    }
    TRY(hd_stream_create_with(device, HD_STREAM_NON_BLOCKING, 0, &p->stream));
    TRY(hd_stream_create_with(device, HD_STREAM_NON_BLOCKING, 0, &p->edges));
    TRY(hd_event_create(device, 0, &p->edged));
    TRY(hd_event_create(device, 0, &p->interior));
    TRY(hd_alloc_kind(&p->host, 4 * NX, HD_MEM_PINNED, device));
    for (int f = 0; f < 2; f++)
        TRY(hd_alloc(&p->field[f], (p->ny + 2) * NX, device));
}

static void destroy(part *p)
{
    TRY(hd_device_synchronize(hd_mpi_device(p->mpi)));
    for (int f = 0; f < 2; f++)
        TRY(hd_free(p->field[f]));
    TRY(hd_free(p->host));
    TRY(hd_event_destroy(p->interior));
    TRY(hd_event_destroy(p->edged));
    TRY(hd_stream_destroy(p->edges));
    TRY(hd_stream_destroy(p->stream));
    hd_mpi_destroy(p->mpi);
}

/* The first cell of this rank's rows that differs from the host's, as an index into the field; the
   field's size if there is none. */
static size_t first_wrong(const part *p)
{
    const size_t own = first_row(p->rank, p->ranks) + 1;

    for (size_t i = own * NX; i < (own + p->ny) * NX; i++)
        if (exercise_bits(result[i]) != exercise_bits(expected[i]))
            return i;
    return (size_t)ROWS * NX;
}

static int run(const char *name, hd_status (*function)(part *), part *p)
{
    const size_t above = first_row(p->rank, p->ranks);
    unsigned long mine, first;
    double began;

    for (int f = 0; f < 2; f++)
        TRY(hd_copy_blocking(p->field[f], start + above * NX, (p->ny + 2) * NX, p->stream));
    MPI_Barrier(MPI_COMM_WORLD);
    began = MPI_Wtime();
    TRY(hd_mpi_agree(p->mpi, function(p))); /* a failure of one rank fails all */
    if (p->rank == 0)
        fprintf(stderr, "%s on %d ranks: %.3f ms\n", name, p->ranks, 1e3 * (MPI_Wtime() - began));
    TRY(hd_copy_blocking(result + (above + 1) * NX, p->field[STEPS % 2] + NX, p->ny * NX,
                         p->stream));
    mine = first_wrong(p);
    MPI_Allreduce(&mine, &first, 1, MPI_UNSIGNED_LONG, MPI_MIN, MPI_COMM_WORLD);
    if (first == mine && first < (unsigned long)ROWS * NX) /* the owner reports it */
        exercise_wrong("%s, rank %d: row %lu, column %lu is %.9g, expected %.9g", name, p->rank,
                       first / NX, first % NX, (double)result[first], (double)expected[first]);
    return first < (unsigned long)ROWS * NX;
}

int main(int argc, char **argv)
{
    part p = {.mpi = NULL};
    int wrong;

    MPI_Init(&argc, &argv);
    TRY(hd_mpi_create(MPI_COMM_WORLD, NULL, &p.mpi)); /* a device for this rank */
    solve_host();
    create(&p);
    wrong = run("run_through_mpi", run_through_mpi, &p) ||
            run("run_by_exchange", run_by_exchange, &p) ||
            run("run_overlapped", run_overlapped, &p);
    if (!wrong && p.rank == 0)
        printf("the middle of the field: %a\n", (double)expected[(NY / 2) * NX + NX / 2]);
    destroy(&p);
    MPI_Finalize();
    return wrong;
}
