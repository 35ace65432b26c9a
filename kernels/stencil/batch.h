/* SPDX-License-Identifier: Apache-2.0 */
/* batch.h (kernels) - types shared by the kernels of hd_batch_heat and their host code. */
#ifndef HEDDLE_KERNELS_STENCIL_BATCH_H
#define HEDDLE_KERNELS_STENCIL_BATCH_H

#include <heddle/kernel_decl.h>

enum { HD__BATCH_THREADS = 512 }; /* maximum threads of a block */

/* X(suffix, type) */
#define HD__BATCH_LIST(X)                                                                          \
    X(f32, float)                                                                                  \
    X(f64, double)

#define HD__BATCH_STRUCT(suffix, type)                                                             \
    typedef struct hd__batch_task_##suffix {                                                       \
        const type *in, *coefficients;                                                             \
        type *out;                                                                                 \
        type coefficient;                                                                          \
        uint64_t problems;                                                                         \
        uint32_t nx, ny, steps;                                                                    \
        uint32_t columns, rows; /* 2-D: threads along a row, and rows per thread */                \
    } hd__batch_task_##suffix;                                                                     \
    HD_DECLARE(hd__batch_heat1_##suffix, hd__batch_task_##suffix)                                  \
    HD_DECLARE(hd__batch_heat2_##suffix, hd__batch_task_##suffix)
HD__BATCH_LIST(HD__BATCH_STRUCT)
#undef HD__BATCH_STRUCT

#endif
