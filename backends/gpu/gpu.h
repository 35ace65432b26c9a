/* SPDX-License-Identifier: Apache-2.0 */
/* gpu.h - shared by the files of the GPU runtime. C11 and C++17: HIP's headers for NVIDIA hardware
   need nvcc, which compiles C++. */
#ifndef HEDDLE_GPU_H
#define HEDDLE_GPU_H

#include <heddle/backend/gpu_module.h>

#include "names.h"
#include "runtime/backend.h"

enum { GPU_MAX_DEVICES = 64 }; /* bits of hd_module.bound */

#ifdef __cplusplus
extern "C" {
#endif

/* HD_OK, HD_NOT_READY without detail, or an error with the vendor's code, name and text. Clears the
   vendor's last error if this call set it. */
hd_status hd_gpu_check(const char *call, GPU(Error_t) error);
/* Likewise without detail, for errors that are an ordinary answer. */
hd_status hd_gpu_answer(GPU(Error_t) error);

/* Makes the device current; `previous` is the device that hd_gpu_leave restores. */
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

/* Prepares one kernel file, or all files of the process (NULL), on the device, which must be
   current. */
hd_status hd_gpu_bind(const char *call, hd_module *module, int ordinal);
hd_status hd_gpu_bind_all(const char *call, int ordinal);
/* Prepares the kernel for a launch with that much dynamic shared memory on the device, which must
   be current; refuses more than its static shared memory leaves. */
hd_status hd_gpu_kernel_ready(const char *call, const hd_kernel *kernel, int ordinal,
                              size_t shared_bytes);
/* The error of a launch that the vendor refused with `error`. More threads than the kernel's launch
   bounds are always HD_ERR_LAUNCH_CONFIG: AMD's runtime reports a launch failure, which is also the
   error of a faulted device. The device must be current. */
hd_status hd_gpu_kernel_refused(const char *call, const hd_kernel *kernel,
                                const hd_launch_config *config, GPU(Error_t) error);
/* The device's assertion page for kernels; created on first use, in stream order. */
hd_status hd_gpu_assert_page_of(const char *call, int ordinal, GPU(Stream_t) stream,
                                void **seen_by_device);

/* Forgets state that a reset of the device has invalidated. */
void hd_gpu_assert_reset(int ordinal);
void hd_gpu_module_reset(int ordinal);
void hd_gpu_pool_reset(int ordinal);
void hd_gpu_blocks_reset(int ordinal);
void hd_gpu_launch_reset(void);

/* Returns this thread's last error again, with another status. */
hd_status hd_gpu_restate(hd_status status, const char *call);

/* Allows or forbids `ordinal` to access the pool of `peer`. */
hd_status hd_gpu_pool_share(const char *call, int ordinal, int peer, int allowed);

/* "sm_" followed by the two version numbers of the architecture. */
hd_status hd_gpu_arch_numbers(const char *prefix, char *text, size_t size, int ordinal);

#ifdef __cplusplus
}
#endif
#endif
