/* SPDX-License-Identifier: Apache-2.0 */
/* shmem_streams.c - stands in for the CPU engine's SHMEM, in order of streams as that of GPUs is:
   the host runs ahead, and only what waits for an event is in order. Where streams are lazy no rank
   may fail: its farewell would wait in its stream, and the others for it. */
#include <time.h>

#define hd__shmem_send shmem_send_now
#define hd__shmem_wait shmem_wait_now
#define hd__shmem_quiet shmem_quiet_now
#define hd__shmem_exchange shmem_exchange_now
#include "backends/cpu/mpi/shmem.c"
#undef hd__shmem_exchange
#undef hd__shmem_send
#undef hd__shmem_wait
#undef hd__shmem_quiet

/* What a stream does: a put, or the wait for a word of this rank. */
typedef struct shmem_work {
    hd__shmem_put put;
    _Atomic uint64_t *word;
} shmem_work;

/* Where a word is none of symmetric memory. */
static const hd__symmetric shmem_host;

/* Now one rank is late with its rows, now another one. */
static void shmem_dawdle(int to)
{
    static unsigned puts;
    const struct timespec moment = {0, 1000000};

    puts++;
    if ((puts / 5 + (unsigned)to) % 3 == 0)
        (void)nanosleep(&moment, NULL);
}

static void shmem_do(void *argument)
{
    shmem_work *work = argument;

    if (work->put.bytes) {
        shmem_dawdle(work->put.rank);
        memcpy(work->put.to->of_rank[work->put.rank] + work->put.at, work->put.from,
               work->put.bytes);
    }
    if (work->put.signals)
        atomic_store_explicit(work->word, work->put.value, memory_order_release);
    while (!work->put.signals &&
           atomic_load_explicit(work->word, memory_order_acquire) < work->put.value)
        (void)sched_yield();
    free(work);
}

static hd_status shmem_enqueue(const hd__shmem_put *put, _Atomic uint64_t *word, const char *call,
                               hd_stream *stream)
{
    shmem_work *work = malloc(sizeof *work);

    if (!work)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for what a stream does");
    *work = (shmem_work){*put, word};
    return hd_stream_host_function(stream, shmem_do, work);
}

hd_status hd__shmem_send(hd_mpi *mpi, const hd__shmem_put *puts, unsigned count, const char *call,
                         hd_stream *stream)
{
    (void)mpi;
    for (unsigned i = 0; i < count; i++)
        HD_TRY(shmem_enqueue(&puts[i], word(puts[i].signals, puts[i].rank, puts[i].signal), call,
                             stream));
    return HD_OK;
}

hd_status hd__shmem_wait(hd_mpi *mpi, const hd__shmem_word *words, unsigned count, const char *call,
                         hd_stream *stream)
{
    for (unsigned i = 0; i < count; i++) {
        const hd__shmem_put none = {.value = words[i].value};
        HD_TRY(
            shmem_enqueue(&none, word(words[i].signals, mpi->rank, words[i].signal), call, stream));
    }
    return HD_OK;
}

hd_status hd__shmem_quiet(hd_mpi *mpi, const char *call, hd_stream *stream)
{
    (void)mpi;
    (void)call;
    (void)stream;
    return HD_OK;
}

typedef struct shmem_taking {
    hd__shmem_take take;
    _Atomic uint64_t *word;
} shmem_taking;

static void shmem_take(void *argument)
{
    shmem_taking *work = argument;

    while (atomic_load_explicit(work->word, memory_order_acquire) < work->take.word.value)
        (void)sched_yield();
    memcpy(work->take.to, work->take.from, work->take.bytes);
    free(work);
}

static hd_status shmem_enqueue_take(const hd_mpi *mpi, const hd__shmem_take *take, const char *call,
                                    hd_stream *stream)
{
    shmem_taking *work = malloc(sizeof *work);

    if (!work)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for what a stream does");
    *work = (shmem_taking){*take, word(take->word.signals, mpi->rank, take->word.signal)};
    return hd_stream_host_function(stream, shmem_take, work);
}

static hd_status shmem_enqueue_done(uint64_t *done, uint64_t number, const char *call,
                                    hd_stream *stream)
{
    hd__shmem_put put = {.signals = &shmem_host, .value = number};

    return shmem_enqueue(&put, (_Atomic uint64_t *)(void *)done, call, stream);
}

hd_status hd__shmem_exchange(hd_mpi *mpi, const hd__shmem_work *work, const char *call,
                             hd_stream *stream)
{
    HD_TRY(hd__shmem_send(mpi, work->puts, work->put_count, call, stream));
    if (work->put_count)
        HD_TRY(shmem_enqueue_done(&work->done->put, work->number, call, stream));
    for (unsigned i = 0; i < work->take_count; i++)
        HD_TRY(shmem_enqueue_take(mpi, &work->takes[i], call, stream));
    return work->take_count ? shmem_enqueue_done(&work->done->taken, work->number, call, stream)
                            : HD_OK;
}
