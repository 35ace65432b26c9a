/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - an all-reduce of device memory around a ring: in every step a rank passes on what came
   in the step before, and adds what comes now. After size - 1 steps every rank has every sum. */
#include <inttypes.h>
#include <stdio.h>

#include <heddle/mpi.h>

#include "add.h"

enum { N = 100000 };

/* Sums of integers are exact, so the order in which ranks are added does not matter. `passing` has
   this rank's numbers, in two buffers: what goes out, and what comes in. */
static hd_status all_reduce(hd_mpi *mpi, int64_t *passing[2], int64_t *sum, hd_stream *stream)
{
    const int rank = hd_mpi_rank(mpi), size = hd_mpi_size(mpi);

    HD_TRY(hd_copy(sum, passing[0], N, stream));
    for (int step = 0; step + 1 < size; step++) {
        int64_t *out = passing[step % 2], *in = passing[(step + 1) % 2];
        const hd_mpi_message messages[2] = {
            {.peer = (rank + 1) % size, .send = out, .send_bytes = N * sizeof *out},
            {.peer = (rank + size - 1) % size, .receive = in, .receive_bytes = N * sizeof *in}};

        HD_TRY(hd_mpi_exchange(mpi, messages, 2, stream)); /* in stream order, like a copy */
        HD_TRY(hd_launch(add_i64, hd_launch_loop(N, 256, stream), N, in, sum));
    }
    return HD_OK;
}

/* Rank r has the numbers (r + 1) * i; their sums go to `host`. */
static hd_status run_rank(hd_mpi *mpi, int64_t *host)
{
    const int device = hd_mpi_device(mpi);
    int64_t *passing[2] = {NULL, NULL}, *sum = NULL;
    hd_stream *stream = NULL;
    hd_status status;

    for (int64_t i = 0; i < N; i++)
        host[i] = (hd_mpi_rank(mpi) + 1) * i;
    HD_GOTO(status, end, hd_stream_create(device, &stream));
    HD_GOTO(status, end, hd_alloc(&passing[0], N, device));
    HD_GOTO(status, end, hd_alloc(&passing[1], N, device));
    HD_GOTO(status, end, hd_alloc(&sum, N, device));
    HD_GOTO(status, end, hd_copy(passing[0], host, N, stream));
    HD_GOTO(status, end, all_reduce(mpi, passing, sum, stream));
    HD_GOTO(status, end, hd_copy_blocking(host, sum, N, stream));
end:
    hd_free(sum);
    hd_free(passing[1]);
    hd_free(passing[0]);
    hd_stream_destroy(stream);
    return status;
}

/* Sums on this rank that are not i * (1 + 2 + ... + size). */
static long count_wrong(const int64_t *host, int64_t size)
{
    long wrong = 0;

    for (int64_t i = 0; i < N; i++)
        wrong += host[i] != i * (size * (size + 1) / 2);
    return wrong;
}

int main(int argc, char **argv)
{
    static int64_t host[N];
    char text[HD_ERROR_TEXT_MAX];
    hd_mpi *mpi = NULL;
    long wrong = 0;
    hd_status status;

    MPI_Init(&argc, &argv);
    status = hd_mpi_create(MPI_COMM_WORLD, NULL, &mpi); /* a device for every rank */
    if (status >= 0)                                    /* a failure of one rank is one of all */
        status = hd_mpi_agree(mpi, run_rank(mpi, host));
    if (status < 0) {
        fprintf(stderr, "mpi: %s\n", hd_error_format(text, sizeof text));
    } else {
        wrong = count_wrong(host, hd_mpi_size(mpi));
        MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        if (hd_mpi_rank(mpi) == 0)
            printf("%d ranks: %d sums on each, the last is %" PRId64 ", %ld wrong\n",
                   hd_mpi_size(mpi), N, host[N - 1], wrong);
    }
    hd_mpi_destroy(mpi);
    MPI_Finalize();
    return status < 0 || wrong > 0;
}
