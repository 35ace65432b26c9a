/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.h - textbook variants of the reduction, to be read and compared. All take the task of
   kernels/reduce/reduce.h; one block of 256 threads per tile.
     begin    one thread: stores the identity in partial 0
     tree     a partial per block, by a tree in shared memory    shuffle  by warp shuffles
     atomic   each block adds to partial 0 by one atomic         lock     under a lock
     fold     one block: reduces partials to the result */
#ifndef HEDDLE_KERNELS_VARIANTS_REDUCE_H
#define HEDDLE_KERNELS_VARIANTS_REDUCE_H

#include "kernels/reduce/reduce.h"

/* X(op, type) */
#define HD__REDUCE_VARIANT_LIST(X)                                                                 \
    X(sum, i32)                                                                                    \
    X(sum, f32) X(sum, f64) X(min, i32) X(min, f32) X(min, f64) X(max, i32) X(max, f32) X(max, f64)

#define HD__REDUCE_VARIANT_DECLARE(op, type)                                                       \
    HD_DECLARE(hd__reduce_begin_##op##_##type, hd__reduce_task)                                    \
    HD_DECLARE(hd__reduce_tree_##op##_##type, hd__reduce_task)                                     \
    HD_DECLARE(hd__reduce_shuffle_##op##_##type, hd__reduce_task)                                  \
    HD_DECLARE(hd__reduce_atomic_##op##_##type, hd__reduce_task)                                   \
    HD_DECLARE(hd__reduce_lock_##op##_##type, hd__reduce_task)                                     \
    HD_DECLARE(hd__reduce_fold_##op##_##type, hd__reduce_task)
HD__REDUCE_VARIANT_LIST(HD__REDUCE_VARIANT_DECLARE)
#undef HD__REDUCE_VARIANT_DECLARE

#endif
