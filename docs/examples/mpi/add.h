/* SPDX-License-Identifier: Apache-2.0 */
/* add.h - the kernel of the example, for host files and for its kernel file. */
#ifndef MPI_ADD_H
#define MPI_ADD_H

#include <heddle/kernel_decl.h>

/* sum[i] += x[i] for i < n. */
HD_DECLARE(add_i64, size_t, const int64_t *, int64_t *)

#endif
