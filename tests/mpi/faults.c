/* SPDX-License-Identifier: Apache-2.0 */
/* faults.c WHAT RANK - a rank goes wrong while the others wait for it; run by test_faults.sh. The
   job has to end by itself, with a status that is not 0 and the name of the rank. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/mpi.h>

static hd_mpi *mpi, *others[2]; /* whose watches see the same, and leave it to one to tell */
static hd_stream *stream;
static char *memory;
static hd_mpi_jacobi *field; /* on path SHMEM: sweeps instead of messages */

/* HEDDLE_TEST_PATH: shmem or peer. */
static hd_mpi_path path_asked(void)
{
    const char *path = getenv("HEDDLE_TEST_PATH");
    return !path || !*path ? HD_MPI_AUTO : strcmp(path, "shmem") == 0 ? HD_MPI_SHMEM : HD_MPI_PEER;
}

/* Round and round: each rank sends to the next one. */
static hd_status ring(void)
{
    const int size = hd_mpi_size(mpi), rank = hd_mpi_rank(mpi);
    const hd_mpi_message messages[2] = {
        {.peer = (rank + 1) % size, .send = memory, .send_bytes = 1000},
        {.peer = (rank + size - 1) % size, .receive = memory + 1000, .receive_bytes = 1000}};
    return hd_mpi_exchange(mpi, messages, 2, stream);
}

/* Everybody with everybody. */
static hd_status all_to_all(void)
{
    return hd_mpi_all_to_all(mpi, memory, memory + 1000, 1000 / (size_t)hd_mpi_size(mpi),
                             HD_MPI_PAIRS, stream);
}

/* A few more of them. */
static hd_status sweeps(void)
{
    return hd_mpi_jacobi_run(field, 3, 0, NULL);
}

static hd_status make_field(void)
{
    const hd_jacobi problem = {.type = HD_F32, .nx = 20, .ny = 200};
    static float rows[20 * 200];
    HD_TRY(hd_mpi_jacobi_create(mpi, &problem, &field));
    return hd_mpi_jacobi_load(field, rows, 0);
}

static void go_wrong(const char *what)
{
    if (strcmp(what, "killed") == 0)
        raise(SIGKILL);
    else if (strcmp(what, "stopped") == 0)
        raise(SIGSTOP);
    else if (strcmp(what, "exits") == 0)
        _exit(0); /* without a word to MPI */
    else if (strcmp(what, "crashes") == 0)
        abort();
    else if (strcmp(what, "fails") == 0 || strcmp(what, "fails-first") == 0) {
        /* where the others cannot hear of it */
        (void)hd_mpi_agree(
            mpi, hd_alloc_bytes((void **)&memory, SIZE_MAX, 1, HD_MEM_DEVICE, hd_mpi_device(mpi)));
    } else {
        for (;;) /* late */
            (void)sleep(1);
    }
}

/* The rank goes wrong in the middle of the exchanges, or, "away", before a collective. */
static hd_status job(const char *what, int bad)
{
    const hd_mpi_options options = {.path = path_asked()}, staged = {.path = HD_MPI_STAGED};
    HD_TRY(hd_mpi_create(MPI_COMM_WORLD, &options, &mpi));
    for (int i = 0; i < 2; i++)
        HD_TRY(hd_mpi_create(MPI_COMM_WORLD, &staged, &others[i]));
    HD_TRY(hd_stream_create(hd_mpi_device(mpi), &stream));
    HD_TRY(hd_alloc(&memory, 2000, hd_mpi_device(mpi)));
    HD_TRY(hd_fill_zero(memory, 2000, stream));
    if (options.path == HD_MPI_SHMEM)
        HD_TRY(make_field());
    for (int turn = 0; turn < 200; turn++) {
        if (turn == 100 && hd_mpi_rank(mpi) == bad)
            go_wrong(what);
        else if (turn == 100 && strcmp(what, "fails-first") == 0)
            (void)sleep(1); /* and so the bad rank has waited longest */
        HD_TRY(strcmp(what, "away") == 0 && turn >= 100 ? hd_mpi_agree(mpi, HD_OK)
               : field                                  ? sweeps()
               : strcmp(what, "late-for-all") == 0      ? all_to_all()
                                                        : ring());
    }
    HD_TRY(hd_mpi_jacobi_destroy(field));
    HD_TRY(hd_stream_synchronize(stream));
    HD_TRY(hd_free(memory));
    HD_TRY(hd_stream_destroy(stream));
    HD_TRY(hd_mpi_destroy(mpi));
    HD_TRY(hd_mpi_destroy(others[0]));
    return hd_mpi_destroy(others[1]);
}

int main(int argc, char **argv)
{
    char text[HD_ERROR_TEXT_MAX];
    hd_status status;
    if (argc != 3 || MPI_Init(&argc, &argv) != MPI_SUCCESS)
        return 2;
    status = job(argv[1], atoi(argv[2]));
    if (status < 0)
        fprintf(stderr, "%s\n", hd_error_format(text, sizeof text));
    MPI_Finalize();
    return status < 0;
}
