/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - a stranger's program with a device for each rank. */
#include <stdio.h>

#include <heddle/mpi.h>

int main(int argc, char **argv)
{
    hd_mpi *mpi = NULL;
    char text[512];
    hd_status status;

    MPI_Init(&argc, &argv);
    status = hd_mpi_create(MPI_COMM_WORLD, NULL, &mpi);
    if (status >= 0)
        printf("rank %d of %d has device %d\n", hd_mpi_rank(mpi), hd_mpi_size(mpi),
               hd_mpi_device(mpi));
    else
        fprintf(stderr, "%s\n", hd_error_format(text, sizeof text));
    hd_mpi_destroy(mpi);
    MPI_Finalize();
    return status < 0;
}
