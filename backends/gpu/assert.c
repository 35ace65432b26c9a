/* SPDX-License-Identifier: Apache-2.0 */
/* assert.c - the pages on which failed device assertions leave their record. */
#include <pthread.h>
#include <string.h>

#include "gpu.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hd_gpu_assert_page *pages[GPU_MAX_DEVICES];

/* Creates a page and its counter; in stream order the counter is initialised before any launch. */
static hd_status page_make(const char *call, GPU(Stream_t) stream, hd_gpu_assert_page **made)
{
    void *page = NULL, *claim = NULL;
    hd_status status = hd_gpu_check(
        call, GPU_HostAlloc(&page, sizeof(hd_gpu_assert_page), GPU_HOST_MAPPED));
    if (status >= 0)
        status = hd_gpu_check(call, GPU(Malloc)(&claim, sizeof(unsigned)));
    if (status >= 0)
        status = hd_gpu_check(call, GPU(MemsetAsync)(claim, 0, sizeof(unsigned), stream));
    if (status < 0) {
        if (claim)
            (void)GPU(Free)(claim);
        if (page)
            (void)GPU_FreeHost(page);
        return status;
    }
    memset(page, 0, sizeof(hd_gpu_assert_page));
    *made = (hd_gpu_assert_page *)page;
    (*made)->claim = (unsigned *)claim;
    (*made)->generation = 1;
    return HD_OK;
}

hd_status hd_gpu_assert_page_of(const char *call, int ordinal, GPU(Stream_t) stream,
                                void **seen_by_device)
{
    hd_status status = HD_OK;
    (void)pthread_mutex_lock(&lock);
    if (!pages[ordinal])
        status = page_make(call, stream, &pages[ordinal]);
    if (status >= 0)
        status = hd_gpu_check(call, GPU(HostGetDevicePointer)(seen_by_device, pages[ordinal], 0));
    (void)pthread_mutex_unlock(&lock);
    return status;
}

void hd_gpu_assert_reset(int ordinal)
{
    (void)pthread_mutex_lock(&lock);
    pages[ordinal] = NULL;
    (void)pthread_mutex_unlock(&lock);
}

static hd_status report(hd_gpu_assert_page *page)
{
    return hd__fail(HD_ERR_ASSERT, "hd_assert",
                    "assertion \"%s\" failed in %s (%s:%d), block (%u,%u,%u), thread (%u,%u,%u)",
                    page->condition, page->function, page->file, page->line, page->block[0],
                    page->block[1], page->block[2], page->thread[0], page->thread[1],
                    page->thread[2]);
}

hd_status hdb_device_pending_error(int ordinal)
{
    hd_status status = HD_OK;
    hd_gpu_assert_page *page = __atomic_load_n(&pages[ordinal], __ATOMIC_ACQUIRE);
    if (!page || __atomic_load_n(&page->ready, __ATOMIC_ACQUIRE) != page->generation)
        return HD_OK;
    (void)pthread_mutex_lock(&lock);
    if (page == pages[ordinal] && page->ready == page->generation) {
        status = report(page);
        __atomic_store_n(&page->generation, page->generation + 1, __ATOMIC_RELEASE);
    }
    (void)pthread_mutex_unlock(&lock);
    return status;
}
