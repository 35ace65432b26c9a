/* SPDX-License-Identifier: Apache-2.0 */
/* ranges.h (HIP) - ranges of the vendor's profilers. AMD hardware: ROCTX, taken from the process or
   loaded at the first range, so that nothing has to be linked. NVIDIA hardware: NVTX. */
#ifndef HEDDLE_GPU_RANGES_H
#define HEDDLE_GPU_RANGES_H

#ifdef __HIP_PLATFORM_NVIDIA__
/* The included file has the same guard. */
#undef HEDDLE_GPU_RANGES_H
#include "../cuda/ranges.h"
#else

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static int (*gpu_roctx_push)(const char *);
static int (*gpu_roctx_pop)(void);
static void (*gpu_roctx_mark)(const char *);

/* Copied as bytes, because C has no cast from an object pointer to a function pointer. */
static inline void gpu_roctx_symbol(void *library, const char *name, void *function, size_t size)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, size);
}

static inline void gpu_roctx_find(void)
{
    static const char *const names[] = {"librocprofiler-sdk-roctx.so.1", "libroctx64.so.4",
                                        "libroctx64.so"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
    if (!library)
        return;
    gpu_roctx_symbol(library, "roctxRangePushA", &gpu_roctx_push, sizeof gpu_roctx_push);
    gpu_roctx_symbol(library, "roctxRangePop", &gpu_roctx_pop, sizeof gpu_roctx_pop);
    gpu_roctx_symbol(library, "roctxMarkA", &gpu_roctx_mark, sizeof gpu_roctx_mark);
}

static inline void gpu_roctx_ready(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, gpu_roctx_find);
}

static inline void GPU_RangePush(const char *text)
{
    gpu_roctx_ready();
    if (gpu_roctx_push)
        (void)gpu_roctx_push(text);
}

static inline void GPU_RangePop(void)
{
    gpu_roctx_ready();
    if (gpu_roctx_pop)
        (void)gpu_roctx_pop();
}

static inline void GPU_RangeMark(const char *text)
{
    gpu_roctx_ready();
    if (gpu_roctx_mark)
        gpu_roctx_mark(text);
}

#endif
#endif
