/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - looks for the greatest element of an array. */
#include "exercise.h"
#include "kernel.h"

enum { N = 3000, N_MAX = 10007, BLOCK = 128 };

/* Different for all i below 10007, which is a prime. */
static float element(size_t i)
{
    return (float)(i * 4649 % 10007);
}

int main(int argc, char **argv)
{
    size_t n = exercise_size(argc, argv, N), expected = 0;
    greatest start = {-1.0f, 0}, found;
    float *x, *device_x;
    greatest *device_result;
    hd_stream *stream;
    unsigned *lock;

    if (n == 0 || n > N_MAX) {
        fprintf(stderr, "error: %zu elements; 1 to %d are allowed\n", n, N_MAX);
        return 2;
    }
    x = malloc(n * sizeof *x);
    if (!x)
        return 2;
    for (size_t i = 0; i < n; i++) {
        x[i] = element(i);
        if (x[i] > x[expected])
            expected = i;
    }
    TRY(hd_stream_create(0, &stream));
    TRY(hd_alloc(&device_x, n, 0));
    TRY(hd_alloc(&device_result, 1, 0));
    TRY(hd_alloc(&lock, 2, 0));
    TRY(hd_copy(device_x, x, n, stream));
    TRY(hd_copy(device_result, &start, 1, stream));
    TRY(hd_fill_zero(lock, 2, stream));
    TRY(hd_launch(find_greatest, hd_launch_1d(n, BLOCK, stream), n, device_x, lock, device_result));
    TRY(hd_copy_blocking(&found, device_result, 1, stream));
    TRY(hd_free(lock));
    TRY(hd_free(device_result));
    TRY(hd_free(device_x));
    TRY(hd_stream_destroy(stream));
    free(x);
    if (found.index != expected || found.value != element(expected))
        return exercise_wrong("found %g at %u, expected %g at %zu", (double)found.value,
                              found.index, (double)element(expected), expected);
    printf("the greatest of %zu elements is %g, at %u\n", n, (double)found.value, found.index);
    return 0;
}
