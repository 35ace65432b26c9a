/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - sends chunks through a kernel and adds up its results. */
#include "exercise.h"
#include "host.h"

enum { N = 300, CHUNKS = 5 };

static uint32_t element(size_t chunk, size_t i)
{
    return (uint32_t)(chunk * 1000 + i * 7 % 256);
}

void prepare(size_t chunk, size_t n, uint32_t *x)
{
    for (size_t i = 0; i < n; i++)
        x[i] = element(chunk, i);
}

uint64_t total_of(size_t n, const uint32_t *y)
{
    uint64_t total = 0;

    for (size_t i = 0; i < n; i++)
        total += y[i];
    return total;
}

int main(int argc, char **argv)
{
    size_t n = exercise_size(argc, argv, N);
    uint64_t totals[CHUNKS];

    process(CHUNKS, n, totals);
    for (size_t c = 0; c < CHUNKS; c++) {
        uint64_t expected = 0;

        for (size_t i = 0; i < n; i++)
            expected += element(c, i) * element(c, i) + 1;
        if (totals[c] != expected)
            return exercise_wrong("the total of chunk %zu is %llu, expected %llu", c,
                                  (unsigned long long)totals[c], (unsigned long long)expected);
    }
    printf("%d chunks of %zu elements: right\n", CHUNKS, n);
    return 0;
}
