/* SPDX-License-Identifier: Apache-2.0 */
/* chunks_issue.c - steps common to all strategies: issue a chunk, and consume its result. */
#include "chunks.h"

#include <string.h>

#include "cli/lab/streams/stream_work.h"

uint64_t host_chunks_sum(const float *data, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t bits;

        memcpy(&bits, &data[i], sizeof bits);
        sum += bits;
    }
    return sum;
}

void host_chunks_consume(host_chunks *h, size_t chunk)
{
    const float *data = h->result + chunk % h->buffers * h->n;

    __atomic_fetch_add(&h->sum, host_chunks_sum(data, h->n), __ATOMIC_RELAXED);
    __atomic_fetch_add(&h->consumed, 1, __ATOMIC_RELEASE);
}

hd_status host_chunks_issue(host_chunks *h, size_t chunk)
{
    size_t s = chunk % h->streams;
    float *to = h->result + chunk % h->buffers * h->n;

    HD_TRY(hd_copy(h->in[s], (const float *)(h->source + chunk * h->n), h->n, h->stream[s]));
    HD_TRY(cli_work(h->n, h->blocks, h->turns, h->in[s], h->out[s], h->stream[s]));
    return hd_copy(to, (const float *)h->out[s], h->n, h->stream[s]);
}
