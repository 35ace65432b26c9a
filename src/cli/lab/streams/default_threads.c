/* SPDX-License-Identifier: Apache-2.0 */
/* default_threads.c - POSIX threads, and OpenMP threads if the build has them. */
#include "default_threads.h"

#include <pthread.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* Holds threads until all have started: 1 go, -1 give up. */
typedef struct gate {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int open;
} gate;

typedef struct one {
    void (*body)(void *, size_t);
    void *state;
    size_t i;
    gate *at;
} one;

static void *run_one(void *argument)
{
    one *o = argument;
    int open;

    (void)pthread_mutex_lock(&o->at->lock);
    while (!o->at->open)
        (void)pthread_cond_wait(&o->at->changed, &o->at->lock);
    open = o->at->open;
    (void)pthread_mutex_unlock(&o->at->lock);
    if (open > 0)
        o->body(o->state, o->i);
    return NULL;
}

int cli_threads_posix(size_t count, void (*body)(void *state, size_t i), void *state)
{
    gate at = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
    pthread_t threads[CLI_THREADS_MAX];
    one each[CLI_THREADS_MAX];
    size_t made = 0;

    for (; made < count && made < CLI_THREADS_MAX; made++) {
        each[made] = (one){body, state, made, &at};
        if (pthread_create(&threads[made], NULL, run_one, &each[made]) != 0)
            break;
    }
    (void)pthread_mutex_lock(&at.lock);
    at.open = made == count ? 1 : -1;
    (void)pthread_cond_broadcast(&at.changed);
    (void)pthread_mutex_unlock(&at.lock);
    for (size_t i = 0; i < made; i++)
        (void)pthread_join(threads[i], NULL);
    return made == count ? 0 : -1;
}

int cli_threads_have_openmp(void)
{
#ifdef _OPENMP
    return 1;
#else
    return 0;
#endif
}

int cli_threads_openmp(size_t count, void (*body)(void *state, size_t i), void *state)
{
#ifdef _OPENMP
    int got = 0;

    if (count == 0 || count > CLI_THREADS_MAX)
        return -1;
    omp_set_dynamic(0);
#pragma omp parallel num_threads((int)count)
    {
#pragma omp single
        got = omp_get_num_threads();
        if (got == (int)count)
            body(state, (size_t)omp_get_thread_num());
    }
    return got == (int)count ? 0 : -1;
#else
    (void)count;
    (void)body;
    (void)state;
    return -1;
#endif
}
