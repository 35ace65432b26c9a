/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Launch configurations, properties of kernels, occupancy, device variables. The launch itself is
 *  #hd_launch (kernel_decl.h).
 */
#ifndef HEDDLE_LAUNCH_H
#define HEDDLE_LAUNCH_H

#include <heddle/kernel_decl.h>
#include <heddle/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup launches Launches
 *  @brief Declaring and launching kernels, launch configurations and occupancy.
 *
 *  The functions that make a configuration check nothing; #hd_launch checks it and returns
 *  HD_ERR_LAUNCH_CONFIG with the limit that it exceeds.
 *  @{
 */

/** Returns the configuration with one thread per element: ceil(n / block) blocks, at least one.
 *
 *  For n = 0 one block is launched, whose threads find nothing to do. A launch of more than 2^32 -
 *  1 threads is refused with HD_ERR_LAUNCH_CONFIG, since not every backend can do it; use
 *  hd_launch_loop() with a kernel that loops (HD_FOR).
 *
 *  @param n       Number of elements.
 *  @param block   Threads per block.
 *  @param stream  Stream, which names the device.
 *  @return The configuration.
 */
hd_launch_config hd_launch_1d(size_t n, unsigned block, hd_stream *stream);

/** Returns the configuration for a kernel that loops over n elements: as many blocks as fill the
 *  device, but at most ceil(n / block).
 *
 *  @param n       Number of elements.
 *  @param block   Threads per block.
 *  @param stream  Stream, which names the device.
 *  @return The configuration. Compute units times resident blocks by threads alone: occupancy
 *          limits by registers or shared memory are not taken into account.
 */
hd_launch_config hd_launch_loop(size_t n, unsigned block, hd_stream *stream);

/** Returns the configuration with one thread per element of an nx * ny * nz field.
 *
 *  @param nx      Elements in x, the innermost extent.
 *  @param ny      Elements in y; 1 for a one-dimensional field.
 *  @param nz      Elements in z; 1 for a two-dimensional field.
 *  @param block   Threads per block in x, y and z.
 *  @param stream  Stream, which names the device.
 *  @return The configuration: ceil(extent / block extent) blocks in each dimension, at least one.
 */
hd_launch_config hd_launch_3d(size_t nx, size_t ny, size_t nz, hd_dim3 block, hd_stream *stream);

/** Returns the configuration with everything given; flags are 0.
 *
 *  @param grid          Blocks in x, y and z.
 *  @param block         Threads per block in x, y and z.
 *  @param shared_bytes  Bytes of dynamic shared memory per block.
 *  @param stream        Stream, which names the device.
 *  @return The configuration.
 */
hd_launch_config hd_launch_with(hd_dim3 grid, hd_dim3 block, size_t shared_bytes,
                                hd_stream *stream);

/** Returns an hd_dim3.
 *
 *  @param x  Extent in x.
 *  @param y  Extent in y.
 *  @param z  Extent in z.
 *  @return The three extents.
 */
static inline HD_UNUSED_ hd_dim3 hd_dim(unsigned x, unsigned y, unsigned z)
{
    hd_dim3 d;
    d.x = x;
    d.y = y;
    d.z = z;
    return d;
}

/** What a kernel needs on a device; see hd_kernel_get(). */
typedef struct hd_kernel_attributes {
    unsigned registers;  /**< Registers per thread; 0 if the backend has none. */
    size_t shared_bytes; /**< Static shared memory per block in bytes; on the CPU backend, what its
                              blocks have used so far. */
    size_t local_bytes;  /**< Local memory per thread in bytes: spills and local arrays. */
    size_t constant_bytes; /**< Constant memory of the user in bytes. */
    unsigned max_threads;  /**< Maximum threads per block, by the device and by the kernel's launch
                                bounds. */
} hd_kernel_attributes;

/** Returns what a kernel needs on a device.
 *
 *  @param kernel      The kernel: #hd_kernel_of(name).
 *  @param device      Index of the device.
 *  @param attributes  Receives the answer.
 *  @return HD_OK or one of the @ref common_errors.
 */
hd_status hd_kernel_get(const hd_kernel *kernel, int device, hd_kernel_attributes *attributes);

/** Returns how many blocks of a kernel can be resident per compute unit.
 *
 *  @param kernel        The kernel.
 *  @param device        Index of the device.
 *  @param threads       Threads per block.
 *  @param shared_bytes  Bytes of dynamic shared memory per block.
 *  @param blocks        Receives the number of blocks.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_LAUNCH_CONFIG if threads is 0 or more
 *          than the device allows, or shared_bytes is more than #HD_ATTR_SHARED_PER_BLOCK_MAX.
 */
hd_status hd_occupancy(const hd_kernel *kernel, int device, unsigned threads, size_t shared_bytes,
                       unsigned *blocks);

/** Returns the block size with which the most threads of a kernel are resident per compute unit.
 *
 *  @param kernel        The kernel.
 *  @param device        Index of the device.
 *  @param shared_bytes  Bytes of dynamic shared memory per block, whatever its size.
 *  @param threads       Receives the threads per block, a multiple of the warp size; of several
 *                       such sizes the largest.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_LAUNCH_CONFIG if no block with that much
 *          shared memory fits.
 */
hd_status hd_suggest_block(const hd_kernel *kernel, int device, size_t shared_bytes,
                           unsigned *threads);

/** @} */

/** @defgroup symbols Device variables
 *  @brief Device variables and constant tables; each device has its own copy.
 *  @{
 */

/** Copies bytes into a device's copy of a symbol, in stream order.
 *
 *  @param symbol  The symbol: #hd_symbol_of(name).
 *  @param offset  First byte of the symbol to write.
 *  @param from    Source: host or device memory.
 *  @param bytes   Bytes to copy; 0 copies nothing.
 *  @param stream  Stream; its device's copy is written.
 *  @retval HD_ERR_ARGUMENT  offset + bytes exceeds the size of the symbol.
 *  @retval HD_ERR_STATE     The stream is being captured and from is plain host memory.
 *  @return Also as hd_copy_bytes(), which says when it returns.
 */
hd_status hd_symbol_write(const hd_symbol *symbol, size_t offset, const void *from, size_t bytes,
                          hd_stream *stream);

/** Copies bytes of a device's copy of a symbol to memory, in stream order.
 *
 *  @param to      Destination: host or device memory.
 *  @param symbol  The symbol: #hd_symbol_of(name).
 *  @param offset  First byte of the symbol to read.
 *  @param bytes   Bytes to copy; 0 copies nothing.
 *  @param stream  Stream; its device's copy is read.
 *  @return As hd_symbol_write().
 */
hd_status hd_symbol_read(void *to, const hd_symbol *symbol, size_t offset, size_t bytes,
                         hd_stream *stream);

/** Returns the address of a device's copy of a symbol.
 *
 *  @param symbol   The symbol: #hd_symbol_of(name).
 *  @param device   Index of the device.
 *  @param address  Receives the device address, valid until the device is reset.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_NO_MEMORY.
 */
hd_status hd_symbol_address(const hd_symbol *symbol, int device, void **address);

/** The handle of a device variable or constant that #HD_DECLARE_SYMBOL declared.
 *
 *  @param name  Name of the variable.
 */
#define hd_symbol_of(name) (&HD_CAT(name, _symbol))

/** @} */

#ifdef __cplusplus
}
#endif
#endif
