/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Devices: how many there are, their properties, their state, and peer access between them.
 */
#ifndef HEDDLE_DEVICES_H
#define HEDDLE_DEVICES_H

#include <stddef.h>
#include <stdint.h>

#include <heddle/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup devices Devices
 *  @brief Counting, selecting, querying and resetting devices.
 *  @{
 */

/** Counts the devices that this process can see.
 *
 *  The vendor's visibility variables apply. HEDDLE_DEVICES=1,0 selects and reorders among the
 *  remaining devices on every backend; an empty HEDDLE_DEVICES hides all of them.
 *
 *  @param count  Receives the number of devices; 0 is success.
 *  @retval HD_ERR_ARGUMENT      count is NULL; HEDDLE_DEVICES is malformed or lists a device twice.
 *  @retval HD_ERR_DEVICE_INDEX  HEDDLE_DEVICES lists a device that does not exist.
 *  @see hd_device_select()
 */
hd_status hd_device_count(int *count);

/** X(name, text): the integer properties of a device. hd_device_get() returns one of them. */
#define HD_DEVICE_ATTRIBUTE_LIST(X)                                                                \
    /** Lanes in a warp. */                                                                        \
    X(HD_ATTR_WARP_SIZE, "lanes in a warp")                                                        \
    /** Multiprocessors (CUDA) or compute units (HIP). */                                          \
    X(HD_ATTR_COMPUTE_UNITS, "multiprocessors or compute units")                                   \
    /** Maximum threads per block. */                                                              \
    X(HD_ATTR_MAX_THREADS_PER_BLOCK, "threads in a block at most")                                 \
    /** Maximum resident threads per compute unit. */                                              \
    X(HD_ATTR_MAX_THREADS_PER_UNIT, "resident threads per compute unit")                           \
    /** Maximum block extent in x. */                                                              \
    X(HD_ATTR_MAX_BLOCK_X, "block extent x at most")                                               \
    /** Maximum block extent in y. */                                                              \
    X(HD_ATTR_MAX_BLOCK_Y, "block extent y at most")                                               \
    /** Maximum block extent in z. */                                                              \
    X(HD_ATTR_MAX_BLOCK_Z, "block extent z at most")                                               \
    /** Maximum grid extent in x, in blocks. */                                                    \
    X(HD_ATTR_MAX_GRID_X, "grid extent x at most")                                                 \
    /** Maximum grid extent in y, in blocks. */                                                    \
    X(HD_ATTR_MAX_GRID_Y, "grid extent y at most")                                                 \
    /** Maximum grid extent in z, in blocks. */                                                    \
    X(HD_ATTR_MAX_GRID_Z, "grid extent z at most")                                                 \
    /** Bytes of shared memory per block without opting in to more. */                             \
    X(HD_ATTR_SHARED_PER_BLOCK, "bytes of shared memory per block without opting in")              \
    /** Maximum bytes of shared memory per block. */                                               \
    X(HD_ATTR_SHARED_PER_BLOCK_MAX, "bytes of shared memory per block at most")                    \
    /** Bytes of shared memory per compute unit. */                                                \
    X(HD_ATTR_SHARED_PER_UNIT, "bytes of shared memory per compute unit")                          \
    /** Bytes of constant memory. */                                                               \
    X(HD_ATTR_CONSTANT_BYTES, "bytes of constant memory")                                          \
    /** Registers available to a block. */                                                         \
    X(HD_ATTR_REGISTERS_PER_BLOCK, "registers per block")                                          \
    /** Bytes of L2 cache. */                                                                      \
    X(HD_ATTR_L2_BYTES, "bytes of L2 cache")                                                       \
    /** Bytes of device memory. */                                                                 \
    X(HD_ATTR_MEMORY_BYTES, "bytes of device memory")                                              \
    /** Width of the memory bus in bits. */                                                        \
    X(HD_ATTR_MEMORY_BUS_BITS, "width of the memory bus in bits")                                  \
    /** Memory clock in kHz. */                                                                    \
    X(HD_ATTR_MEMORY_CLOCK_KHZ, "memory clock in kHz")                                             \
    /** Core clock in kHz. */                                                                      \
    X(HD_ATTR_CLOCK_KHZ, "core clock in kHz")                                                      \
    /** Number of copy engines. */                                                                 \
    X(HD_ATTR_ASYNC_ENGINES, "copy engines")                                                       \
    /** 1 if kernels of several streams can run at the same time, else 0. */                       \
    X(HD_ATTR_CONCURRENT_KERNELS, "kernels of several streams run at once (0/1)")                  \
    /** 1 if cooperative launches (#HD_LAUNCH_COOPERATIVE) are supported, else 0. */               \
    X(HD_ATTR_COOPERATIVE_LAUNCH, "cooperative launch (0/1)")                                      \
    /** 1 if managed memory (#HD_MEM_MANAGED) is supported, else 0. */                             \
    X(HD_ATTR_MANAGED_MEMORY, "managed memory (0/1)")                                              \
    /** 1 if host and device may use managed memory at the same time, else 0. */                   \
    X(HD_ATTR_CONCURRENT_MANAGED, "managed memory used by host and device at once (0/1)")          \
    /** 1 if the device has stream-ordered memory pools, else 0. */                                \
    X(HD_ATTR_MEMORY_POOLS, "stream-ordered pools (0/1)")                                          \
    /** 1 if host memory can be mapped for kernels, else 0. */                                     \
    X(HD_ATTR_MAPPED_HOST, "host memory can be mapped (0/1)")                                      \
    /** 1 if error-correcting memory is on, else 0. */                                             \
    X(HD_ATTR_ECC, "error-correcting memory on (0/1)")                                             \
    /** 1 if the device shares its memory with the host, else 0. */                                \
    X(HD_ATTR_INTEGRATED, "shares memory with the host (0/1)")                                     \
    /** Compute mode: 0 shared, 1 exclusive, 2 prohibited. */                                      \
    X(HD_ATTR_EXCLUSIVE, "compute mode: 0 shared, 1 exclusive, 2 prohibited")                      \
    /** Major number of the architecture. */                                                       \
    X(HD_ATTR_ARCH_MAJOR, "architecture, major")                                                   \
    /** Minor number of the architecture. */                                                       \
    X(HD_ATTR_ARCH_MINOR, "architecture, minor")                                                   \
    /** Least stream priority (numerically greatest). */                                           \
    X(HD_ATTR_STREAM_PRIORITY_LEAST, "least stream priority")                                      \
    /** Greatest stream priority (numerically smallest). */                                        \
    X(HD_ATTR_STREAM_PRIORITY_GREATEST, "greatest stream priority (numerically smallest)")

/** An integer property of a device; the values are those of #HD_DEVICE_ATTRIBUTE_LIST. */
typedef enum hd_device_attribute {
#define HD_ATTRIBUTE_ENUM_(name, text) name,
    HD_DEVICE_ATTRIBUTE_LIST(HD_ATTRIBUTE_ENUM_)
#undef HD_ATTRIBUTE_ENUM_
        HD_ATTR_COUNT_
} hd_device_attribute;

/** Returns an integer property of a device.
 *
 *  @param device     Index of the device.
 *  @param attribute  The property.
 *  @param value      Receives its value; properties that are yes or no give 1 or 0.
 *  @return HD_OK or one of the @ref common_errors.
 */
hd_status hd_device_get(int device, hd_device_attribute attribute, int64_t *value);

/** Returns the product name of a device.
 *
 *  @param device  Index of the device.
 *  @param text    Receives the terminated text, cut to fit.
 *  @param size    Bytes at text, at least 1.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_ARGUMENT if size is 0.
 */
hd_status hd_device_name(int device, char *text, size_t size);

/** Returns the PCI bus id of a device.
 *
 *  @param device  Index of the device.
 *  @param text    Receives the terminated text: "0000:3b:00.0", on the CPU backend "cpu:0".
 *  @param size    Bytes at text, at least 1.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_ARGUMENT if size is 0.
 */
hd_status hd_device_bus_id(int device, char *text, size_t size);

/** Returns the architecture of a device as its compiler names it.
 *
 *  @param device  Index of the device.
 *  @param text    Receives the terminated text: "sm_90", "gfx90a", "x86_64".
 *  @param size    Bytes at text, at least 1.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_ARGUMENT if size is 0.
 */
hd_status hd_device_arch(int device, char *text, size_t size);

/** Returns how much memory of a device is free and how much it has.
 *
 *  @param device       Index of the device.
 *  @param free_bytes   Receives the bytes that are free now; may be NULL.
 *  @param total_bytes  Receives the total bytes; may be NULL.
 *  @return HD_OK or one of the @ref common_errors.
 */
hd_status hd_device_memory(int device, size_t *free_bytes, size_t *total_bytes);

/** Selects a device by index, bus id or property.
 *
 *  @param what    "0" (an index), "0000:3b:00.0" (a bus id), "fastest" (most compute units times
 *                 clock) or "free" (the first that is not in exclusive use or prohibited). NULL:
 *                 environment variable HEDDLE_DEVICE; NULL without that variable, and "": "0".
 *  @param device  Receives the index of the device.
 *  @retval HD_ERR_ARGUMENT      device is NULL, or no device matches what.
 *  @retval HD_ERR_DEVICE_INDEX  what is an index out of range.
 *  @retval HD_ERR_DEVICE_BUSY   "free": every device is in exclusive use or prohibited.
 *  @retval HD_ERR_NO_DEVICE     The process sees no device.
 */
hd_status hd_device_select(const char *what, int *device);

/** Makes a device the calling thread's current device of the vendor's runtime.
 *
 *  For a thread whose calls mostly concern one device: calls of heddle then need not switch to the
 *  device and back, which saves about 1 us per launch. The meaning of heddle's calls does not
 *  change; that of the vendor's own calls by this thread does.
 *
 *  @param device  Index of the device.
 *  @return HD_OK or one of the @ref common_errors.
 */
hd_status hd_device_bind_thread(int device);

/** Waits for all work of a device and returns the failure of that work, if any.
 *
 *  @param device  Index of the device.
 *  @return HD_OK, or one of the @ref common_errors, including the failures of kernels.
 */
hd_status hd_device_synchronize(int device);

/** Returns whether a device is usable; does not wait.
 *
 *  @param device  Index of the device.
 *  @return HD_OK, or one of the @ref common_errors : HD_ERR_DEVICE_LOST after a kernel faulted.
 */
hd_status hd_device_state(int device);

/** Frees everything that the process has on a device; a lost device becomes usable again where the
 *  vendor allows it.
 *
 *  Streams, events, memory and other objects of the device are invalid afterwards; ask for default
 *  streams again (hd_stream_default()). Decisions of hd_peer_connect() about the device are
 *  dropped.
 *
 *  @param device  Index of the device; may be lost.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_DEVICE_LOST if the vendor's runtime
 *          cannot recover the device.
 */
hd_status hd_device_reset(int device);

/** Sets the size of the buffer that hd_printf() in kernels writes to.
 *
 *  On the CPU backend hd_printf() writes to stdout at once, and the size is only stored.
 *
 *  @param device  Index of the device; no kernel may have been launched on it.
 *  @param bytes   Size of the buffer in bytes.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_UNSUPPORTED if the printf of the backend
 *          has no buffer of its own (HIP on AMD devices).
 */
hd_status hd_device_set_printf_bytes(int device, size_t bytes);

/** Returns the size of the buffer that hd_printf() in kernels writes to.
 *
 *  @param device  Index of the device.
 *  @param bytes   Receives the size in bytes.
 *  @return As hd_device_set_printf_bytes().
 */
hd_status hd_device_printf_bytes(int device, size_t *bytes);

/** Returns the vendor's ordinal of a device.
 *
 *  @param device   Index of the device.
 *  @param ordinal  Receives the ordinal, which differs from the index if HEDDLE_DEVICES is set.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_UNSUPPORTED on the CPU backend.
 */
hd_status hd_device_native(int device, int *ordinal);

/** Returns the device that has a given ordinal of the vendor.
 *
 *  @param ordinal  The vendor's ordinal.
 *  @param device   Receives the index of the device.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_DEVICE_INDEX if the process does not use
 *          that device.
 */
hd_status hd_device_from_native(int ordinal, int *device);

/** @} */

/** @defgroup peer_access Peer access
 *  @brief Permission for one device to use the memory of another; see peer.h for checked paths.
 *  @{
 */

/** Returns whether kernels and copies on one device can reach memory of another directly.
 *
 *  @param device  Index of the device that would access the memory.
 *  @param peer    Index of the device that owns it; the same device gives 1.
 *  @param can     Receives 1 or 0.
 *  @return HD_OK or one of the @ref common_errors.
 *  @see hd_peer_connect(), which also verifies the link
 */
hd_status hd_peer_possible(int device, int peer, int *can);

/** Lets one device access memory of another. One direction only.
 *
 *  Enabling it twice is success, and so is device == peer.
 *
 *  @param device  Index of the device that will access the memory.
 *  @param peer    Index of the device that owns it.
 *  @retval HD_ERR_NO_PEER   The hardware cannot, HEDDLE_P2P=off, or hd_peer_connect() found that
 *                           the link does not transfer its data pattern correctly.
 *  @retval HD_ERR_ARGUMENT  HEDDLE_P2P is not auto, on or off.
 */
hd_status hd_peer_enable(int device, int peer);

/** Takes the access of hd_peer_enable() back, and drops what hd_peer_connect() decided for the
 *  pair.
 *
 *  Kernels and copies that use the access must have ended, or they fault. Waits while another
 *  thread is in hd_peer_connect().
 *
 *  @param device  Index of the device that accesses the memory; device == peer is success.
 *  @param peer    Index of the device that owns it.
 *  @return HD_OK or one of the @ref common_errors.
 */
hd_status hd_peer_disable(int device, int peer);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
