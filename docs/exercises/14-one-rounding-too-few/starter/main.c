/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - multiplies complex numbers by conjugates and compares every bit with the host's results.
   Every third number is multiplied by its own conjugate: the imaginary part must be 0. */
#include "exercise.h"
#include "kernel.h"

enum { N = 64 * 21, BLOCKS = 3, BLOCK = 128 };

/* A number between -1 and 1 with all 24 bits. */
static float number(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(int32_t)(*state & 0xffffff00u) / 2147483648.0f;
}

/* Every operation is rounded. */
static hd_f32x2 product(hd_f32x2 a, hd_f32x2 b)
{
    hd_f32x2 c;

    c.x = a.x * b.x + a.y * b.y;
    c.y = a.y * b.x - a.x * b.y;
    return c;
}

static void run(size_t n, const hd_f32x2 *a, const hd_f32x2 *b, hd_f32x2 *c)
{
    hd_f32x2 *device_a, *device_b, *device_c;
    hd_stream *stream;

    TRY(hd_stream_create(0, &stream));
    TRY(hd_alloc(&device_a, n, 0));
    TRY(hd_alloc(&device_b, n, 0));
    TRY(hd_alloc(&device_c, n, 0));
    TRY(hd_copy(device_a, a, n, stream));
    TRY(hd_copy(device_b, b, n, stream));
    TRY(hd_launch(conjugate_products,
                  hd_launch_with(hd_dim(BLOCKS, 1, 1), hd_dim(BLOCK, 1, 1), 0, stream), n, device_a,
                  device_b, device_c));
    TRY(hd_copy_blocking(c, device_c, n, stream));
    TRY(hd_free(device_c));
    TRY(hd_free(device_b));
    TRY(hd_free(device_a));
    TRY(hd_stream_destroy(stream));
}

/* Compares with the host and prints a checksum of the bits. */
static int compare(size_t n, const hd_f32x2 *a, const hd_f32x2 *b, const hd_f32x2 *c)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        hd_f32x2 expected = product(a[i], b[i]);

        if (exercise_bits(c[i].x) != exercise_bits(expected.x))
            return exercise_wrong("the real part of product %zu is %.9g, expected %.9g", i,
                                  (double)c[i].x, (double)expected.x);
        if (exercise_bits(c[i].y) != exercise_bits(expected.y))
            return exercise_wrong("the imaginary part of product %zu is %.9g, expected %.9g", i,
                                  (double)c[i].y, (double)expected.y);
        sum = sum * 31 + exercise_bits(c[i].x);
        sum = sum * 31 + exercise_bits(c[i].y);
    }
    printf("%zu products, checksum %08x\n", n, sum);
    return 0;
}

int main(int argc, char **argv)
{
    size_t n = exercise_size(argc, argv, N);
    hd_f32x2 *a = malloc((n + 1) * sizeof *a), *b = malloc((n + 1) * sizeof *b);
    hd_f32x2 *c = malloc((n + 1) * sizeof *c);
    uint32_t state = 14;
    int status;

    if (!a || !b || !c)
        return 2;
    for (size_t i = 0; i < n; i++) {
        a[i].x = number(&state);
        a[i].y = number(&state);
        b[i].x = i % 3 ? number(&state) : a[i].x;
        b[i].y = i % 3 ? number(&state) : a[i].y;
    }
    run(n, a, b, c);
    status = compare(n, a, b, c);
    free(c);
    free(b);
    free(a);
    return status;
}
