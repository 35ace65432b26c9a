/* SPDX-License-Identifier: Apache-2.0 */
/* device_aware.h - whether MPI supports a backend's device memory. */
#ifndef HEDDLE_MPI_DEVICE_AWARE_H
#define HEDDLE_MPI_DEVICE_AWARE_H

/* Returns 1 if MPI can be given pointers to memory of this backend's devices. *reason: the source
   of this information. MPI must be initialized. */
int hd__mpi_device_aware(const char **reason);

#endif
