/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Memory: allocations of every kind, stream-ordered pools, page-locked host memory, managed
 *  memory, copies and fills.
 */
#ifndef HEDDLE_MEMORY_H
#define HEDDLE_MEMORY_H

#include <heddle/kernel_decl.h>
#include <heddle/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup memory Memory
 *  @brief Allocating, freeing and querying memory that devices use.
 *  @{
 */

/** Kind of memory. */
typedef enum hd_memory_kind {
    HD_MEM_DEVICE,   /**< Device memory: fastest for kernels of that device. */
    HD_MEM_PINNED,   /**< Page-locked host memory: fast copies that are truly asynchronous. */
    HD_MEM_MAPPED,   /**< Page-locked host memory that kernels read and write in place. */
    HD_MEM_MANAGED,  /**< One pointer for host and device; pages migrate on demand. */
    HD_MEM_COHERENT, /**< Fine-grained device memory, for flags and atomics between devices. The
                          host accesses it by copies; a flag that the host polls in place has to be
                          #HD_MEM_MAPPED. */
    HD_MEM_UNKNOWN   /**< Returned by hd_pointer_get() only: ordinary host memory, or memory that
                          the backend does not know. */
} hd_memory_kind;

/** Allocates count * size bytes of any kind. Usually called as #hd_alloc or #hd_alloc_kind.
 *
 *  The caller frees the memory with hd_free(). It may make the device wait; see
 *  hd_alloc_async_bytes() for an allocation in stream order. Contents are undefined.
 *
 *  @param pointer  Receives the address, at least 256-byte aligned for device memory; NULL if count
 *                  is 0.
 *  @param count    Number of elements.
 *  @param size     Bytes per element, at least 1.
 *  @param kind     Kind of memory, not #HD_MEM_UNKNOWN.
 *  @param device   Device that owns the memory; for pinned and mapped memory, the device that is to
 *                  use it.
 *  @retval HD_ERR_NO_MEMORY  There is not enough memory.
 *  @retval HD_ERR_OVERFLOW   count * size exceeds SIZE_MAX - 1.
 *  @retval HD_ERR_ARGUMENT   pointer is NULL, size is 0, or the kind is unknown.
 *  @return Also the @ref common_errors.
 */
hd_status hd_alloc_bytes(void **pointer, size_t count, size_t size, hd_memory_kind kind,
                         int device);

/** Allocates device memory for elements of the pointer's type: `float *x; hd_alloc(&x, n, device);`
 *
 *  @param pointer  Address of a typed pointer, which receives the address.
 *  @param count    Number of elements.
 *  @param device   Device that owns the memory.
 *  @return As hd_alloc_bytes().
 */
#define hd_alloc(pointer, count, device)                                                           \
    hd_alloc_bytes((void **)(void *)(pointer), (count), sizeof **(pointer), HD_MEM_DEVICE, (device))

/** Allocates memory of a given kind for elements of the pointer's type.
 *
 *  @param pointer  Address of a typed pointer, which receives the address.
 *  @param count    Number of elements.
 *  @param kind     Kind of memory (#hd_memory_kind).
 *  @param device   Device that owns or uses the memory.
 *  @return As hd_alloc_bytes().
 */
#define hd_alloc_kind(pointer, count, kind, device)                                                \
    hd_alloc_bytes((void **)(void *)(pointer), (count), sizeof **(pointer), (kind), (device))

/** Frees memory of any kind from hd_alloc_bytes(); waits for work of the device that may use it.
 *
 *  @param pointer  Start of the allocation; NULL is success.
 *  @retval HD_ERR_POINTER      pointer is not the start of an allocation of this backend.
 *  @retval HD_ERR_DEVICE_LOST  The device of the memory is lost.
 */
hd_status hd_free(void *pointer);

/** Allocates device memory in stream order. Usually called as #hd_alloc_async.
 *
 *  Returns at once. Work that is enqueued on the stream afterwards may use the memory; other
 *  streams have to be ordered after it. The memory comes from a pool of the device, which keeps
 *  freed memory until hd_pool_trim(). Devices without pools (#HD_ATTR_MEMORY_POOLS) use ordinary
 *  allocations.
 *
 *  @param pointer  Receives the address, 256-byte aligned; NULL if count is 0.
 *  @param count    Number of elements.
 *  @param size     Bytes per element, at least 1.
 *  @param stream   Stream; its device owns the memory.
 *  @retval HD_ERR_NO_MEMORY  There is not enough memory.
 *  @retval HD_ERR_OVERFLOW   count * size exceeds SIZE_MAX - 1.
 *  @retval HD_ERR_STATE      The stream is being captured.
 *  @return Also the @ref common_errors.
 */
hd_status hd_alloc_async_bytes(void **pointer, size_t count, size_t size, hd_stream *stream);

/** Allocates device memory in stream order for elements of the pointer's type.
 *
 *  @param pointer  Address of a typed pointer, which receives the address.
 *  @param count    Number of elements.
 *  @param stream   Stream; its device owns the memory.
 *  @return As hd_alloc_async_bytes().
 */
#define hd_alloc_async(pointer, count, stream)                                                     \
    hd_alloc_async_bytes((void **)(void *)(pointer), (count), sizeof **(pointer), (stream))

/** Frees memory from hd_alloc_async_bytes() after the earlier work of the stream. Does not wait on
 *  devices with pools.
 *
 *  @param pointer  Start of the allocation; NULL is success.
 *  @param stream   Stream after whose earlier work the memory is free.
 *  @retval HD_ERR_POINTER  pointer is not the start of an allocation.
 *  @retval HD_ERR_STATE    The stream is being captured.
 *  @return Also the @ref common_errors.
 */
hd_status hd_free_async(void *pointer, hd_stream *stream);

/** Returns how many bytes the stream-ordered pool of a device holds and how many are allocated.
 *
 *  @param device          Index of the device.
 *  @param reserved_bytes  Receives the bytes that the pool holds; may be NULL.
 *  @param used_bytes      Receives the bytes that are allocated from it; may be NULL.
 *  @return HD_OK or one of the @ref common_errors.
 */
hd_status hd_pool_usage(int device, size_t *reserved_bytes, size_t *used_bytes);

/** Returns free memory of a device's pool to the device.
 *
 *  @param device      Index of the device.
 *  @param keep_bytes  Bytes that the pool may keep.
 *  @return HD_OK or one of the @ref common_errors.
 */
hd_status hd_pool_trim(int device, size_t keep_bytes);

/** Returns the peaks of hd_pool_usage() since the last hd_pool_peak_reset(), or else the first
 *  allocation.
 *
 *  @param device          Index of the device.
 *  @param reserved_bytes  Receives the maximum of the bytes that the pool held; may be NULL.
 *  @param used_bytes      Receives the maximum of the bytes that were allocated; may be NULL.
 *  @return HD_OK or one of the @ref common_errors.
 */
hd_status hd_pool_peak(int device, size_t *reserved_bytes, size_t *used_bytes);

/** Restarts the peaks of hd_pool_peak() from the present usage.
 *
 *  @param device  Index of the device.
 *  @return HD_OK or one of the @ref common_errors.
 */
hd_status hd_pool_peak_reset(int device);

/** Page-locks host memory that the caller owns and maps it for kernels.
 *
 *  It stays locked until hd_host_unregister(), which has to come before the memory is freed.
 *
 *  @param pointer  Start of the host memory.
 *  @param bytes    Size in bytes; 0 does nothing.
 *  @param device   Device that is to use it.
 *  @return HD_OK or one of the @ref common_errors.
 *  @see hd_host_device_pointer()
 */
hd_status hd_host_register(void *pointer, size_t bytes, int device);

/** Undoes hd_host_register(). No work that uses the memory may be under way.
 *
 *  @param pointer  Start of the registered memory; NULL is success.
 *  @return HD_OK, or an error if the memory is not registered (HD_ERR_POINTER on the CPU backend).
 */
hd_status hd_host_unregister(void *pointer);

/** Returns the address at which kernels of a device access mapped or registered host memory.
 *
 *  @param device_pointer  Receives the device's address.
 *  @param host_pointer    Host address of the memory.
 *  @param device          Index of the device.
 *  @retval HD_ERR_POINTER  The memory is neither allocated as page-locked memory nor registered.
 *  @return Also the @ref common_errors.
 */
hd_status hd_host_device_pointer(void **device_pointer, void *host_pointer, int device);

/** What the backend knows of an address; see hd_pointer_get(). */
typedef struct hd_pointer_info {
    hd_memory_kind kind; /**< Kind of memory. */
    int device;          /**< Device that owns it; -1 for plain host memory. */
    void *base;          /**< Start of the allocation; NULL if not known. */
    size_t bytes;        /**< Size of the allocation in bytes; 0 if not known. */
} hd_pointer_info;

/** Returns what the backend knows of an address.
 *
 *  @param pointer  Any address. Plain host memory is success with #HD_MEM_UNKNOWN.
 *  @param info     Receives the answer.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_POINTER on the CPU backend if pointer
 *          lies in device memory but in no allocation.
 */
hd_status hd_pointer_get(const void *pointer, hd_pointer_info *info);

/** @} */

/** @defgroup managed Managed memory
 *  @brief Where the pages of #HD_MEM_MANAGED memory should be.
 *  @{
 */

/** Advice for hd_advise(). */
typedef enum hd_advice {
    HD_ADVISE_READ_MOSTLY,       /**< Mostly read: every reader may keep a copy of the pages. */
    HD_ADVISE_UNSET_READ_MOSTLY, /**< Undoes #HD_ADVISE_READ_MOSTLY. */
    HD_ADVISE_PREFER_DEVICE,     /**< Pages should stay on the device. */
    HD_ADVISE_PREFER_HOST,       /**< Pages should stay on the host. */
    HD_ADVISE_ACCESSED_BY,       /**< The device will access the pages: keep them mapped for it. */
    HD_ADVISE_UNSET_ACCESSED_BY  /**< Undoes #HD_ADVISE_ACCESSED_BY. */
} hd_advice;

enum {
    HD_DEVICE_HOST = -1 /**< The host, where hd_prefetch() and hd_advise() take a device. */
};

/** Moves pages of managed memory to a device or to the host, in stream order.
 *
 *  @param pointer  Managed memory.
 *  @param bytes    Size of the range in bytes; 0 does nothing.
 *  @param device   Destination: index of a device, or #HD_DEVICE_HOST.
 *  @param stream   Stream in whose order the pages move. Returns before they have.
 *  @retval HD_ERR_POINTER  The memory is not managed (CPU backend).
 *  @return Also the @ref common_errors; backends on GPUs return the vendor's error for memory that
 *          is not managed.
 */
hd_status hd_prefetch(const void *pointer, size_t bytes, int device, hd_stream *stream);

/** Tells the vendor's runtime how managed memory will be used. Affects speed only.
 *
 *  @param pointer  Managed memory.
 *  @param bytes    Size of the range in bytes; 0 does nothing.
 *  @param advice   The advice.
 *  @param device   Device that the advice is about, or #HD_DEVICE_HOST.
 *  @return As hd_prefetch().
 */
hd_status hd_advise(const void *pointer, size_t bytes, hd_advice advice, int device);

/** @} */

/** @defgroup copies Copies and fills
 *  @brief Moving and setting memory in stream order.
 *  @{
 */

/** Copies count * size bytes in stream order; the direction follows from the pointers. Usually
 *  called as #hd_copy.
 *
 *  Returns before the copy is done unless plain (pageable) host memory takes part: small copies
 *  from such memory return once the source may be reused, copies to it may wait for completion.
 *  From or to #HD_MEM_PINNED memory the copy is always asynchronous, and the memory must stay valid
 *  until it is done.
 *
 *  @param to      Destination: memory of any kind, or plain host memory.
 *  @param from    Source: memory of any kind, or plain host memory. Must not overlap the
 *                 destination.
 *  @param count   Number of elements; 0 copies nothing.
 *  @param size    Bytes per element.
 *  @param stream  Stream.
 *  @retval HD_ERR_OVERFLOW  count * size does not fit in size_t.
 *  @retval HD_ERR_POINTER   Device memory was freed or is too short; on the CPU backend also a host
 *                           address at which there is no memory.
 *  @retval HD_ERR_STATE     The stream is being captured, and plain host memory takes part.
 *  @return Also the @ref common_errors.
 */
hd_status hd_copy_bytes(void *to, const void *from, size_t count, size_t size, hd_stream *stream);

/** Copies elements: hd_copy_bytes() with the element size from the type, which is that of both
 *  pointers.
 *
 *  @param to      Typed pointer to the destination.
 *  @param from    Typed pointer to the source.
 *  @param count   Number of elements.
 *  @param stream  Stream.
 *  @return As hd_copy_bytes().
 */
#define hd_copy(to, from, count, stream)                                                           \
    hd_copy_bytes((to), (from), (count), sizeof *(1 ? (from) : (to)), (stream))

/** As hd_copy_bytes(), but waits for the stream: when it returns, the copy and all earlier work of
 *  the stream are done. Usually called as #hd_copy_blocking.
 *
 *  @param to      Destination.
 *  @param from    Source.
 *  @param count   Number of elements; with 0 it still waits.
 *  @param size    Bytes per element.
 *  @param stream  Stream, not being captured.
 *  @return As hd_copy_bytes(), and the failures of kernels (@ref common_errors).
 */
hd_status hd_copy_blocking_bytes(void *to, const void *from, size_t count, size_t size,
                                 hd_stream *stream);

/** Copies elements and waits: hd_copy_blocking_bytes() with the element size from the type, which
 *  is that of both pointers.
 *
 *  @param to      Typed pointer to the destination.
 *  @param from    Typed pointer to the source.
 *  @param count   Number of elements.
 *  @param stream  Stream.
 *  @return As hd_copy_blocking_bytes().
 */
#define hd_copy_blocking(to, from, count, stream)                                                  \
    hd_copy_blocking_bytes((to), (from), (count), sizeof *(1 ? (from) : (to)), (stream))

/** Copies a rectangle, rows of row_bytes that start a pitch apart, in stream order.
 *
 *  @param to          First row of the destination.
 *  @param to_pitch    Bytes from a row of the destination to the next, at least row_bytes.
 *  @param from        First row of the source.
 *  @param from_pitch  Bytes from a row of the source to the next, at least row_bytes.
 *  @param row_bytes   Bytes per row.
 *  @param rows        Number of rows. Pitches are not used for a single row.
 *  @param stream      Stream.
 *  @retval HD_ERR_ARGUMENT  A pitch is less than row_bytes.
 *  @return Also as hd_copy_bytes(), which says when it returns.
 */
hd_status hd_copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                     size_t row_bytes, size_t rows, hd_stream *stream);

/** Copies from memory of one device to memory of another, in stream order.
 *
 *  Works with and without peer access; without it the vendor's runtime stages the copy.
 *  hd_transfer() uses a path whose integrity was checked.
 *
 *  @param to           Destination: memory of to_device.
 *  @param to_device    Index of the device that owns the destination.
 *  @param from         Source: memory of from_device.
 *  @param from_device  Index of the device that owns the source.
 *  @param bytes        Bytes to copy.
 *  @param stream       Stream of either device.
 *  @retval HD_ERR_ARGUMENT  The stream belongs to a third device.
 *  @return Also as hd_copy_bytes().
 */
hd_status hd_copy_peer(void *to, int to_device, const void *from, int from_device, size_t bytes,
                       hd_stream *stream);

/** Sets elements to a value in stream order. Asynchronous.
 *
 *  @param to      Memory that the stream's device can use, of any kind, aligned to size.
 *  @param value   The value; its low `size` bytes are used.
 *  @param size    Bytes per element: 1, 2 or 4.
 *  @param count   Number of elements; 0 does nothing.
 *  @param stream  Stream.
 *  @retval HD_ERR_ARGUMENT  size is not 1, 2 or 4, or to is not a multiple of it.
 *  @retval HD_ERR_OVERFLOW  count * size does not fit in size_t.
 *  @retval HD_ERR_POINTER   Plain host memory (use memset), freed memory, or too short an
 *                           allocation.
 *  @return Also the @ref common_errors.
 */
hd_status hd_fill_bytes(void *to, uint32_t value, size_t size, size_t count, hd_stream *stream);

/** Sets elements of the pointer's type to zero bytes in stream order.
 *
 *  @param to      Typed pointer to memory that the stream's device can use.
 *  @param count   Number of elements.
 *  @param stream  Stream.
 *  @return As hd_fill_bytes().
 */
#define hd_fill_zero(to, count, stream)                                                            \
    hd_fill_bytes((to), 0, 1, hd_bytes((count), sizeof *(to)), (stream))

/** Returns count * size, or SIZE_MAX on overflow, which every call then refuses.
 *
 *  @param count  Number of elements.
 *  @param size   Bytes per element.
 *  @return The product, or SIZE_MAX.
 */
static inline HD_UNUSED_ size_t hd_bytes(size_t count, size_t size)
{
    return size && count > SIZE_MAX / size ? SIZE_MAX : count * size;
}

/** @} */

#ifdef __cplusplus
}
#endif
#endif
