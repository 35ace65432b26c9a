/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.h - what test programs of ranks share: who they are, and which paths there are. */
#ifndef HEDDLE_TESTS_MPI_RANKS_H
#define HEDDLE_TESTS_MPI_RANKS_H

#include <heddle/mpi.h>

#include "test.h"

static int rank, size; /* of the world */

/* splitmix64 (Steele, Lea, Flood 2014): the same bits of a number on every rank. */
TEST_UNUSED static uint64_t mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* 0: MPI does not begin. */
static int ranks_begin(int *argc, char ***argv)
{
    return MPI_Init(argc, argv) == MPI_SUCCESS &&
           MPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS &&
           MPI_Comm_size(MPI_COMM_WORLD, &size) == MPI_SUCCESS;
}

/* The path is there; 0 on GPUs where processes or ranks cannot have it. */
TEST_UNUSED static int ranks_have(hd_mpi_path path)
{
    const hd_mpi_options options = {.path = path};
    hd_mpi *mpi = NULL;
    const hd_status status = hd_mpi_create(MPI_COMM_WORLD, &options, &mpi);
    if (status == HD_ERR_UNSUPPORTED && strcmp(hd_backend_name(), "cpu") != 0)
        return 0;
    CHECK_STATUS(status, HD_OK);
    CHECK_EQ_I64(hd_mpi_path_used(mpi, NULL), path);
    CHECK_STATUS(hd_mpi_destroy(mpi), HD_OK);
    return 1;
}

#endif
