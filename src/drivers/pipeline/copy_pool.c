/* SPDX-License-Identifier: Apache-2.0 */
/* copy_pool.c - host threads that copy host memory together: a copy is split into slices, which the
   calling thread and the workers take in turn. */
#include "copy_pool.h"

#include "runtime/backend.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { SLICE = 256 << 10, THREADS_MAX = 16, LINE = 64 };

typedef struct copy_task {
    struct copy_task *next;
    char *to;
    const char *from;
    size_t bytes;
    size_t slices, taken; /* guarded by the lock */
    size_t done;
} copy_task;

struct hd__copy_pool {
    pthread_mutex_t lock;
    pthread_cond_t posted, finished;
    copy_task *tasks; /* tasks that have slices left */
    int ends;
    unsigned workers;
    pthread_t threads[];
};

/* ---- one slice ------------------------------------------------------------------------------- */

#if defined(__SSE2__)
/* Whole cache lines from an aligned address on, by non-temporal stores: ordinary stores would first
   read what they overwrite. */
static void stream_lines(char *to, const char *from, size_t lines)
{
    for (size_t i = 0; i < lines; i++, to += LINE, from += LINE) {
        const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)from);
        const __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(from + 16));
        const __m128i c = _mm_loadu_si128((const __m128i *)(const void *)(from + 32));
        const __m128i d = _mm_loadu_si128((const __m128i *)(const void *)(from + 48));
        _mm_stream_si128((__m128i *)(void *)to, a);
        _mm_stream_si128((__m128i *)(void *)(to + 16), b);
        _mm_stream_si128((__m128i *)(void *)(to + 32), c);
        _mm_stream_si128((__m128i *)(void *)(to + 48), d);
    }
    _mm_sfence();
}
#else
static void stream_lines(char *to, const char *from, size_t lines)
{
    memcpy(to, from, lines * LINE);
}
#endif

static void copy_slice(char *to, const char *from, size_t bytes)
{
    const size_t head = (LINE - (uintptr_t)to % LINE) % LINE;
    if (bytes < 16 * LINE) {
        memcpy(to, from, bytes);
        return;
    }
    const size_t lines = (bytes - head) / LINE, rest = (bytes - head) % LINE;
    memcpy(to, from, head);
    stream_lines(to + head, from + head, lines);
    memcpy(to + bytes - rest, from + bytes - rest, rest);
}

/* ---- slices of several threads --------------------------------------------------------------- */

/* Called with the lock held: copies the task's next slice, and releases the lock meanwhile. */
static void take_slice(hd__copy_pool *pool, copy_task *task)
{
    const size_t at = task->taken++ * (size_t)SLICE;
    const size_t bytes = task->bytes - at < SLICE ? task->bytes - at : SLICE;
    if (task->taken == task->slices) { /* nothing is left to take */
        copy_task **link = &pool->tasks;
        while (*link != task)
            link = &(*link)->next;
        *link = task->next;
    }
    (void)pthread_mutex_unlock(&pool->lock);
    copy_slice(task->to + at, task->from + at, bytes);
    (void)pthread_mutex_lock(&pool->lock);
    if (++task->done == task->slices)
        (void)pthread_cond_broadcast(&pool->finished);
}

static void *worker(void *argument)
{
    hd__copy_pool *pool = argument;
    (void)pthread_mutex_lock(&pool->lock);
    while (!pool->ends) {
        if (pool->tasks)
            take_slice(pool, pool->tasks);
        else
            (void)pthread_cond_wait(&pool->posted, &pool->lock);
    }
    (void)pthread_mutex_unlock(&pool->lock);
    return NULL;
}

void hd__copy_pool_copy(hd__copy_pool *pool, void *to, const void *from, size_t bytes)
{
    copy_task task = {NULL, to, from, bytes, (bytes + SLICE - 1) / SLICE, 0, 0};
    if (pool->workers == 0 || bytes <= SLICE) {
        copy_slice(task.to, task.from, bytes);
        return;
    }
    (void)pthread_mutex_lock(&pool->lock);
    task.next = pool->tasks;
    pool->tasks = &task;
    (void)pthread_cond_broadcast(&pool->posted);
    while (task.taken < task.slices)
        take_slice(pool, &task);
    while (task.done < task.slices)
        (void)pthread_cond_wait(&pool->finished, &pool->lock);
    (void)pthread_mutex_unlock(&pool->lock);
}

/* ---- the pool -------------------------------------------------------------------------------- */

unsigned hd__copy_threads(void)
{
    cpu_set_t set;
    unsigned most = 1;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        most = (unsigned)CPU_COUNT(&set) / 4 * 3;
    return most < 1 ? 1 : most > THREADS_MAX ? THREADS_MAX : most;
}

hd_status hd__copy_pool_create(unsigned threads, hd__copy_pool **pool)
{
    hd__copy_pool *made = calloc(1, sizeof *made + threads * sizeof *made->threads);
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_pipeline_run", "no memory for %u threads", threads);
    (void)pthread_mutex_init(&made->lock, NULL);
    (void)pthread_cond_init(&made->posted, NULL);
    (void)pthread_cond_init(&made->finished, NULL);
    while (made->workers + 1 < threads &&
           pthread_create(&made->threads[made->workers], NULL, worker, made) == 0)
        made->workers++;
    *pool = made;
    return HD_OK;
}

void hd__copy_pool_destroy(hd__copy_pool *pool)
{
    if (!pool)
        return;
    (void)pthread_mutex_lock(&pool->lock);
    pool->ends = 1;
    (void)pthread_cond_broadcast(&pool->posted);
    (void)pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->workers; i++)
        (void)pthread_join(pool->threads[i], NULL);
    (void)pthread_cond_destroy(&pool->finished);
    (void)pthread_cond_destroy(&pool->posted);
    (void)pthread_mutex_destroy(&pool->lock);
    free(pool);
}
