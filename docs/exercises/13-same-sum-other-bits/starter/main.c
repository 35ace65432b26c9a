/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - prints the sum of an array, and its bits. */
#include <math.h>

#include "exercise.h"
#include "host.h"

enum { N = 10007 };

/* Numbers between -1 and 1 with all 24 bits, from a linear congruential generator. */
static void fill(float *x, size_t n)
{
    uint32_t state = 2026;

    for (size_t i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = (float)(int32_t)(state & 0xffffff00u) / 2147483648.0f;
    }
}

int main(int argc, char **argv)
{
    size_t n = exercise_size(argc, argv, N);
    float *x = malloc((n + 1) * sizeof *x), result;
    double expected = 0.0;
    int devices, status = 0;

    if (!x)
        return 2;
    TRY(hd_device_count(&devices));
    fill(x, n);
    for (size_t i = 0; i < n; i++)
        expected += (double)x[i];
    result = sum(x, n, devices);
    if (!(fabs((double)result - expected) < 1e-3)) /* also NaN */
        status = exercise_wrong("the sum of %zu numbers is %.9g, expected %.9g", n, (double)result,
                                expected);
    else
        printf("the sum of %zu numbers is %.9g, bits %08x\n", n, (double)result,
               exercise_bits(result));
    free(x);
    return status;
}
