/* SPDX-License-Identifier: Apache-2.0 */
/* device_aware.h - what a backend knows of MPI. */
#ifndef HEDDLE_MPI_DEVICE_AWARE_H
#define HEDDLE_MPI_DEVICE_AWARE_H

/* 1: MPI can be given pointers to memory of this backend's devices. *reason: who says so. MPI is
   initialised. */
int hd__mpi_device_aware(const char **reason);

#endif
