/* SPDX-License-Identifier: Apache-2.0 */
/* threads.c - host threads that wait for jobs. */
#include "threads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/backend.h"

typedef struct worker {
    hd__jacobi_threads *threads;
    pthread_t thread;
    unsigned index;
    hd_status status;
    char detail[HD_ERROR_TEXT_MAX];
} worker;

struct hd__jacobi_threads {
    pthread_mutex_t lock;
    pthread_cond_t begun, ended;
    hd__jacobi_job *job; /* NULL: exit */
    void *argument;
    unsigned long turn; /* number of the job */
    unsigned busy, count;
    worker workers[];
};

static void *work(void *argument)
{
    worker *w = argument;
    hd__jacobi_threads *t = w->threads;
    unsigned long seen = 0;
    for (;;) {
        hd__jacobi_job *job;
        void *given;
        (void)pthread_mutex_lock(&t->lock);
        while (t->turn == seen)
            (void)pthread_cond_wait(&t->begun, &t->lock);
        seen = t->turn;
        job = t->job;
        given = t->argument;
        (void)pthread_mutex_unlock(&t->lock);
        if (!job)
            return NULL;
        w->status = job(given, w->index);
        if (w->status < 0)
            snprintf(w->detail, sizeof w->detail, "%s", hd_error_last()->message);
        (void)pthread_mutex_lock(&t->lock);
        if (--t->busy == 0)
            (void)pthread_cond_signal(&t->ended);
        (void)pthread_mutex_unlock(&t->lock);
    }
}

static void begin(hd__jacobi_threads *t, hd__jacobi_job *job, void *argument)
{
    (void)pthread_mutex_lock(&t->lock);
    t->job = job;
    t->argument = argument;
    t->busy = t->count;
    t->turn++;
    (void)pthread_cond_broadcast(&t->begun);
    (void)pthread_mutex_unlock(&t->lock);
}

hd_status hd__jacobi_threads_create(const char *call, unsigned count, hd__jacobi_threads **threads)
{
    hd__jacobi_threads *t = calloc(1, sizeof *t + count * sizeof t->workers[0]);
    if (!t)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for %u host threads", count);
    (void)pthread_mutex_init(&t->lock, NULL);
    (void)pthread_cond_init(&t->begun, NULL);
    (void)pthread_cond_init(&t->ended, NULL);
    for (; t->count < count; t->count++) {
        worker *w = &t->workers[t->count];
        w->threads = t;
        w->index = t->count;
        if (pthread_create(&w->thread, NULL, work, w) != 0) {
            hd__jacobi_threads_destroy(t);
            return hd__fail(HD_ERR_NO_MEMORY, call, "no more than %u host threads", w->index);
        }
    }
    *threads = t;
    return HD_OK;
}

hd_status hd__jacobi_threads_run(hd__jacobi_threads *t, const char *call, hd__jacobi_job *job,
                                 void *argument)
{
    begin(t, job, argument);
    (void)pthread_mutex_lock(&t->lock);
    while (t->busy)
        (void)pthread_cond_wait(&t->ended, &t->lock);
    (void)pthread_mutex_unlock(&t->lock);
    for (unsigned i = 0; i < t->count; i++)
        if (t->workers[i].status < 0)
            return hd__fail(t->workers[i].status, call, "%s", t->workers[i].detail);
    return HD_OK;
}

void hd__jacobi_threads_destroy(hd__jacobi_threads *t)
{
    if (!t)
        return;
    begin(t, NULL, NULL);
    for (unsigned i = 0; i < t->count; i++)
        (void)pthread_join(t->workers[i].thread, NULL);
    (void)pthread_mutex_destroy(&t->lock);
    (void)pthread_cond_destroy(&t->begun);
    (void)pthread_cond_destroy(&t->ended);
    free(t);
}
