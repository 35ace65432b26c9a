/* SPDX-License-Identifier: Apache-2.0 */
/* module.c - the kernel files of the process. Each is bound to a device before its first launch
   there: binding loads the file's kernels and sets its pointer to the device's assertion page. */
#include <pthread.h>

#include "gpu.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hd_module *modules;

void hd_gpu_enlist(hd_module *module)
{
    (void)pthread_mutex_lock(&lock);
    module->next = modules;
    modules = module;
    (void)pthread_mutex_unlock(&lock);
}

void hd_gpu_delist(hd_module *module)
{
    (void)pthread_mutex_lock(&lock);
    for (hd_module **link = &modules; *link; link = &(*link)->next)
        if (*link == module) {
            *link = module->next;
            break;
        }
    (void)pthread_mutex_unlock(&lock);
}

static hd_status slot_write(const char *call, const hd_module *module, int ordinal,
                            GPU(Stream_t) stream)
{
    void *slot = NULL, *page = NULL;
    hd_status status = hd_gpu_assert_page_of(call, ordinal, stream, &page);
    if (status >= 0)
        status = hd_gpu_check(call, GPU(GetSymbolAddress)(&slot, module->slot));
    if (status >= 0)
        status = hd_gpu_check(
            call, GPU(MemcpyAsync)(slot, &page, sizeof page, GPU(MemcpyHostToDevice), stream));
    if (status >= 0)
        status = hd_gpu_check(call, GPU(StreamSynchronize)(stream));
    return status;
}

/* Querying its attributes loads a kernel. */
static hd_status kernels_load(const char *call, const hd_module *module)
{
    hd_status status = HD_OK;
    gpu_function_attributes unused;
    for (const hd_gpu_entry *at = module->entries; at && status >= 0; at = at->next)
        status = hd_gpu_check(call, GPU(FuncGetAttributes)(&unused, hd_gpu_function(at->kernel)));
    return status;
}

static hd_status bind(const char *call, hd_module *module, int ordinal, GPU(Stream_t) stream)
{
    if (module->bound >> ordinal & 1)
        return HD_OK;
    hd_status status = slot_write(call, module, ordinal, stream);
    if (status >= 0)
        status = kernels_load(call, module);
    if (status >= 0)
        (void)__atomic_fetch_or(&module->bound, (uint64_t)1 << ordinal, __ATOMIC_RELEASE);
    return status;
}

/* Binds one module, or all modules for NULL; failures are then reported by the launches concerned.
   A stream may be in capture at this time: these calls must not become part of it. */
static hd_status bind_some(const char *call, hd_module *module, int ordinal)
{
    gpu_capture_mode mode = GPU(StreamCaptureModeRelaxed);
    GPU(Stream_t) stream = NULL;
    hd_status status = hd_gpu_check(call, GPU_ThreadExchangeStreamCaptureMode(&mode));
    if (status < 0)
        return status;
    status = hd_gpu_check(call, GPU(StreamCreateWithFlags)(&stream, GPU(StreamNonBlocking)));
    if (status >= 0) {
        if (module)
            status = bind(call, module, ordinal, stream);
        for (hd_module *at = module ? NULL : modules; at; at = at->next)
            (void)bind(call, at, ordinal, stream);
        (void)GPU(StreamDestroy)(stream);
    }
    (void)GPU_ThreadExchangeStreamCaptureMode(&mode);
    return status;
}

hd_status hd_gpu_bind(const char *call, hd_module *module, int ordinal)
{
    (void)pthread_mutex_lock(&lock);
    hd_status status = bind_some(call, module, ordinal);
    (void)pthread_mutex_unlock(&lock);
    return status;
}

hd_status hd_gpu_bind_all(const char *call, int ordinal)
{
    hd_status status = HD_OK;
    hd_module *at;
    (void)pthread_mutex_lock(&lock);
    for (at = modules; at && at->bound >> ordinal & 1; at = at->next)
        continue;
    if (at)
        status = bind_some(call, NULL, ordinal);
    (void)pthread_mutex_unlock(&lock);
    return status;
}

void hd_gpu_module_reset(int ordinal)
{
    (void)pthread_mutex_lock(&lock);
    for (hd_module *at = modules; at; at = at->next)
        (void)__atomic_fetch_and(&at->bound, ~((uint64_t)1 << ordinal), __ATOMIC_RELEASE);
    (void)pthread_mutex_unlock(&lock);
}
