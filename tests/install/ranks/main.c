/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - a device for each rank; device memory goes round to the next rank, and ranks have tiles
   of one field. */
#include <stdio.h>
#include <stdlib.h>

#include <heddle/mpi.h>

enum { COUNT = 100000 };

/* Each rank sends COUNT times its number to the next one; the numbers come to `host`. */
static hd_status pass_on(hd_mpi *mpi, int *host)
{
    const int rank = hd_mpi_rank(mpi), size = hd_mpi_size(mpi), device = hd_mpi_device(mpi);
    int *out = NULL, *in = NULL;
    hd_stream *stream = NULL;
    hd_mpi_message messages[2] = {
        {.peer = (rank + 1) % size, .send_bytes = COUNT * sizeof *out},
        {.peer = (rank + size - 1) % size, .receive_bytes = COUNT * sizeof *in}};

    for (int i = 0; i < COUNT; i++)
        host[i] = rank;
    HD_TRY(hd_stream_create(device, &stream));
    HD_TRY(hd_alloc(&out, COUNT, device));
    HD_TRY(hd_alloc(&in, COUNT, device));
    HD_TRY(hd_copy(out, host, COUNT, stream));
    messages[0].send = out;
    messages[1].receive = in;
    HD_TRY(hd_mpi_exchange(mpi, messages, 2, stream)); /* in stream order, like the copies */
    HD_TRY(hd_copy_blocking(host, in, COUNT, stream));
    HD_TRY(hd_free(in));
    HD_TRY(hd_free(out));
    return hd_stream_destroy(stream);
}

/* Tiles of a periodic field, whose cells are their rank's number; *above becomes what lies above
   this rank's tile. */
static hd_status look_up(hd_mpi *mpi, float *above)
{
    const unsigned rank = (unsigned)hd_mpi_rank(mpi);
    hd_domain domain = {.nx = 48, .ny = 64, .periodic_x = 1, .periodic_y = 1};
    float host[50 * 66], *memory = NULL;
    hd_stream *stream = NULL;
    hd_mpi_halo *halo = NULL;
    hd_part part;

    HD_TRY(hd_domain_tile(&domain, (unsigned)hd_mpi_size(mpi)));
    HD_TRY(hd_domain_part(&domain, rank, &part));
    const size_t pitch = part.nx + 2, cells = pitch * (part.ny + 2); /* a cell on every side */
    for (size_t i = 0; i < cells; i++)
        host[i] = (float)rank;
    HD_TRY(hd_stream_create(hd_mpi_device(mpi), &stream));
    HD_TRY(hd_alloc(&memory, cells, hd_mpi_device(mpi)));
    HD_TRY(hd_copy(memory, host, cells, stream));
    HD_TRY(hd_mpi_halo_create(mpi, &domain, sizeof *memory, 1, 0, &halo));
    HD_TRY(hd_mpi_halo_exchange(halo, (hd_halo_field){memory + pitch + 1, pitch}, stream));
    HD_TRY(hd_copy_blocking(above, memory + 1, 1, stream));
    HD_TRY(hd_mpi_halo_destroy(halo));
    HD_TRY(hd_free(memory));
    return hd_stream_destroy(stream);
}

static hd_status run(hd_mpi **mpi)
{
    float above = -1;
    int *host = malloc(COUNT * sizeof *host);
    hd_status status = hd_mpi_create(MPI_COMM_WORLD, NULL, mpi);

    if (status >= 0) /* a failure of one rank is a failure of all */
        status = hd_mpi_agree(*mpi, host ? pass_on(*mpi, host) : HD_ERR_NO_MEMORY);
    if (status >= 0)
        status = hd_mpi_agree(*mpi, look_up(*mpi, &above));
    if (status >= 0)
        printf("rank %d of %d has device %d, and numbers of rank %d; above it lies rank %g\n",
               hd_mpi_rank(*mpi), hd_mpi_size(*mpi), hd_mpi_device(*mpi), host[COUNT - 1],
               (double)above);
    free(host);
    return status;
}

int main(int argc, char **argv)
{
    hd_mpi *mpi = NULL;
    char text[HD_ERROR_TEXT_MAX];
    hd_status status;

    MPI_Init(&argc, &argv);
    status = run(&mpi);
    if (status < 0)
        fprintf(stderr, "%s\n", hd_error_format(text, sizeof text));
    hd_mpi_destroy(mpi);
    MPI_Finalize();
    return status < 0;
}
