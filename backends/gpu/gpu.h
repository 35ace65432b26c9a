/* SPDX-License-Identifier: Apache-2.0 */
/* gpu.h - what the files of the GPU runtime share. C11 and C++17: HIP's headers for NVIDIA
   hardware need nvcc, which compiles C++. */
#ifndef HEDDLE_GPU_H
#define HEDDLE_GPU_H

#include <heddle/backend/gpu_module.h>

#include "names.h"
#include "runtime/backend.h"

enum { GPU_MAX_DEVICES = 64 }; /* the bits of hd_module.bound */

#ifdef __cplusplus
extern "C" {
#endif

/* HD_OK, HD_NOT_READY without detail, or an error with the vendor's code, name and text. An error
   that this call made is taken back from the vendor's own record of the last error. */
hd_status hd_gpu_check(const char *call, GPU(Error_t) error);
/* The same without a record: for errors that are an ordinary answer. */
hd_status hd_gpu_answer(GPU(Error_t) error);

/* Makes the device current; `previous` is what hd_gpu_leave makes current again. */
hd_status hd_gpu_enter(const char *call, int ordinal, int *previous);
void hd_gpu_leave(int ordinal, int previous);

static inline GPU(Stream_t) hd_gpu_stream(const hd_stream *stream)
{
    return (GPU(Stream_t))stream->native;
}
static inline GPU(Event_t) hd_gpu_event(const hd_event *event)
{
    return (GPU(Event_t))event->native;
}
static inline const void *hd_gpu_function(const hd_kernel *kernel)
{
    return (const void *)(uintptr_t)kernel->entry;
}

/* Makes one kernel file, or every one of the process, ready on the device, which is current. */
hd_status hd_gpu_bind(const char *call, hd_module *module, int ordinal);
hd_status hd_gpu_bind_all(const char *call, int ordinal);
/* Makes the kernel ready for a launch with so much dynamic shared memory on the device, which is
   current; refuses what does not fit beside its static shared memory. */
hd_status hd_gpu_kernel_ready(const char *call, const hd_kernel *kernel, int ordinal,
                              size_t shared_bytes);
/* What the vendor refused with `error`. More threads than the kernel's launch bounds are
   HD_ERR_LAUNCH_CONFIG whatever the vendor says: AMD's runtime calls that a launch failure, the
   error of a device that has faulted. The device is current. */
hd_status hd_gpu_kernel_refused(const char *call, const hd_kernel *kernel,
                                const hd_launch_config *config, GPU(Error_t) error);
/* The device's assertion page as kernels see it; made on first use, in order of the stream. */
hd_status hd_gpu_assert_page_of(const char *call, int ordinal, GPU(Stream_t) stream,
                                void **seen_by_device);

/* Forget what a reset of the device made invalid. */
void hd_gpu_assert_reset(int ordinal);
void hd_gpu_module_reset(int ordinal);
void hd_gpu_pool_reset(int ordinal);
void hd_gpu_blocks_reset(int ordinal);
void hd_gpu_launch_reset(void);

/* The last error of this thread once more, as another status. */
hd_status hd_gpu_restate(hd_status status, const char *call);

/* Lets `ordinal` use the pool of `peer`, or no longer. */
hd_status hd_gpu_pool_share(const char *call, int ordinal, int peer, int allowed);

/* "sm_" and the two numbers of the architecture. */
hd_status hd_gpu_arch_numbers(const char *prefix, char *text, size_t size, int ordinal);

#ifdef __cplusplus
}
#endif
#endif
