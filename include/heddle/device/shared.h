/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Shared scalars and three-dimensional shared arrays, beside HD_SHARED and HD_SHARED2, and 32-bit
 *  indices. Included by kernel.h.
 */
#ifndef HEDDLE_DEVICE_SHARED_H
#define HEDDLE_DEVICE_SHARED_H

/** @defgroup shared Shared variables and indices
 *  @brief Shared scalars, three-dimensional shared arrays, 32-bit indices; kernels only.
 *  @{
 */

/** Declares a shared variable, to be used as *name.
 *
 *  Lives as long as the block and is not initialised. A shared array of one element.
 *
 *  @param type  Type of the variable.
 *  @param name  Name of a pointer to it.
 */
#define HD_SHARED_ONE(type, name) HD_SHARED(type, name, 1)

/** Declares a shared array of n x m x k elements, to be used as name[a][b][c].
 *
 *  Lives as long as the block and is not initialised; do not apply sizeof to it.
 *
 *  @param type  Type of an element.
 *  @param name  Name of the array.
 *  @param n     First extent, a constant.
 *  @param m     Second extent, a constant.
 *  @param k     Third extent, a constant; elements along it are contiguous.
 */
#define HD_SHARED3(type, name, n, m, k)                                                            \
    typedef type name##_line_[k];                                                                  \
    HD_SHARED2(name##_line_, name, n, m)

#ifdef __cplusplus
/** Declares a shared variable, to be used by its name. C++ only; in C and in files for both use
 *  HD_SHARED_ONE().
 *
 *  @param type  Type of the variable.
 *  @param name  Name of a reference to it.
 */
#define HD_SHARED_REF(type, name)                                                                  \
    HD_SHARED(type, name##_one_, 1);                                                               \
    type &name = *name##_one_
#endif

/** Returns hd_global_x() in 32 bits.
 *
 *  Never truncated: launches of more than 2^32 - 1 threads in a dimension are refused. On GPUs
 *  32-bit arithmetic takes fewer instructions and registers than 64-bit arithmetic. Compute
 *  products of indices, such as row * pitch, in size_t if they may exceed 32 bits.
 *
 *  @return Index of the thread in the grid in x.
 */
HD_DEVICE unsigned hd_global_x32(void)
{
    return (unsigned)hd_global_x();
}

/** Returns hd_global_y() in 32 bits, as hd_global_x32().
 *
 *  @return Index of the thread in the grid in y.
 */
HD_DEVICE unsigned hd_global_y32(void)
{
    return (unsigned)hd_global_y();
}

/** Returns hd_global_z() in 32 bits, as hd_global_x32().
 *
 *  @return Index of the thread in the grid in z.
 */
HD_DEVICE unsigned hd_global_z32(void)
{
    return (unsigned)hd_global_z();
}

/** Returns hd_global_size_x() in 32 bits, as hd_global_x32().
 *
 *  @return Threads of the grid in x.
 */
HD_DEVICE unsigned hd_global_size_x32(void)
{
    return (unsigned)hd_global_size_x();
}

/** @} */

#endif
