/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - runs the three functions and compares the sum of every chunk with the host's. */
#include <inttypes.h>
#include <time.h>

#include "exercise.h"

#include "host.h"

enum { N = 500 };

static uint64_t expected_sum(const uint32_t *in, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t v = in[i];

        for (int turn = 0; turn < 8; turn++)
            v = (v ^ v >> 15) * 2654435761u + 1u;
        sum += v;
    }
    return sum;
}

static double now(void)
{
    struct timespec t;

    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run(const char *name, hd_status (*function)(job *), job *j)
{
    double start;

    for (int c = 0; c < CHUNKS; c++)
        j->sums[c] = 0;
    TRY(hd_device_synchronize(0));
    start = now();
    TRY(function(j));
    fprintf(stderr, "%s: %.3f ms\n", name, 1e3 * (now() - start));
    for (int c = 0; c < CHUNKS; c++) {
        const uint64_t expected = expected_sum(j->in + (size_t)c * j->n, j->n);

        if (j->sums[c] != expected)
            return exercise_wrong("%s: the sum of chunk %d is %" PRIu64 ", expected %" PRIu64, name,
                                  c, j->sums[c], expected);
    }
    return 0;
}

int main(int argc, char **argv)
{
    job j = {.n = exercise_size(argc, argv, N)};
    uint32_t *in;
    int result;

    TRY(hd_alloc_kind(&in, CHUNKS * j.n, HD_MEM_PINNED, 0));
    for (size_t i = 0; i < CHUNKS * j.n; i++)
        in[i] = (uint32_t)i;
    j.in = in;
    for (int s = 0; s < STREAMS; s++) {
        TRY(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &j.stream[s]));
        TRY(hd_event_create(0, 0, &j.done[s]));
        TRY(hd_alloc(&j.x[s], j.n, 0));
        TRY(hd_alloc_kind(&j.out[s], j.n, HD_MEM_PINNED, 0));
    }
    result = run("by_events", by_events, &j) || run("by_functions", by_functions, &j) ||
             run("by_threads", by_threads, &j);
    for (int c = 0; c < CHUNKS && !result; c++)
        printf("chunk %d: %" PRIu64 "\n", c, j.sums[c]);
    TRY(hd_device_synchronize(0));
    for (int s = 0; s < STREAMS; s++) {
        TRY(hd_free(j.out[s]));
        TRY(hd_free(j.x[s]));
        TRY(hd_event_destroy(j.done[s]));
        TRY(hd_stream_destroy(j.stream[s]));
    }
    TRY(hd_free(in));
    return result;
}
