/* SPDX-License-Identifier: Apache-2.0 */
/* kern_storage.c - shared scalars and cubes, initialised variables, indices of 32 bits, long lists
   of arguments, calls through pointers. */
#include <heddle/kernel.h>

#include "storage.h"

typedef struct pair {
    double weight;
    uint32_t count;
} pair;

/* Two scalars of each block: an integer and a struct. out: three values per block. */
HD_KERNEL void shared_scalars(uint32_t *out)
{
    HD_SHARED_ONE(unsigned, total);
    HD_SHARED_ONE(pair, both);
    uint32_t *mine = out + 3 * hd_block_linear();

    if (hd_thread_linear() == 0) {
        *total = 0;
        both->count = 1000u + (unsigned)hd_block_linear();
        both->weight = 0.5;
    }
    hd_sync_block();
    (void)hd_atomic_add_block(total, hd_thread_linear() + 1u);
    hd_sync_block();
    if (hd_thread_linear() == hd_block_threads() - 1u) {
        mine[0] = *total;
        mine[1] = both->count;
        mine[2] = (uint32_t)(both->weight * 8.0);
    }
}
HD_DEFINE(shared_scalars)

/* Every thread stores elements in the order of memory and reads with the axes reversed. */
HD_KERNEL void shared_cube(uint32_t *out)
{
    HD_SHARED3(uint32_t, cube, CUBE_Z, CUBE_Y, CUBE_X);
    uint32_t *mine = out + CUBE * hd_block_linear();

    for (unsigned i = hd_thread_linear(); i < CUBE; i += hd_block_threads())
        cube[i / (CUBE_Y * CUBE_X)][i / CUBE_X % CUBE_Y][i % CUBE_X] = i * 10u +
                                                                       (unsigned)hd_block_linear();
    hd_sync_block();
    for (unsigned i = hd_thread_linear(); i < CUBE; i += hd_block_threads())
        mine[i] = cube[i % CUBE_Z][i / CUBE_Z % CUBE_Y][i / (CUBE_Z * CUBE_Y)];
}
HD_DEFINE(shared_cube)

HD_DEVICE_VAR_INIT(float, storage_weights, STORAGE_WEIGHTS, {0.0625f, 0.25f, 0.375f, 0.25f})
HD_DEFINE_SYMBOL(storage_weights)
HD_CONSTANT_INIT(uint32_t, storage_primes, STORAGE_PRIMES, {2, 3, 5, 7})
HD_DEFINE_SYMBOL(storage_primes)

/* One thread: copies both, then doubles the weights. */
HD_KERNEL void initialised(float *weights, uint32_t *primes)
{
    for (unsigned i = 0; i < STORAGE_PRIMES; i++)
        primes[i] = hd_symbol(storage_primes)[i];
    for (unsigned i = 0; i < STORAGE_WEIGHTS; i++) {
        weights[i] = hd_symbol(storage_weights)[i];
        hd_symbol(storage_weights)[i] = weights[i] * 2.0f;
    }
}
HD_DEFINE(initialised)

HD_CONSTANT_INIT(unsigned char, storage_byte, 1, {1})
HD_CONSTANT_INIT(storage_1024, storage_aligned, 1, {{2}})
HD_DEVICE_VAR_INIT(storage_256, storage_aligned_variable, 2, {{3}, {4}})
HD_TABLE(storage_128, storage_aligned_table, 2) = {{5}, {6}};

HD_DEVICE uint32_t beyond(const void *address, size_t alignment)
{
    return (uint32_t)((uintptr_t)address % alignment);
}

/* What each address has beyond a multiple of the type's alignment: STORAGE_ALIGNED values per
   block. Arrays of odd numbers of bytes stand between the aligned ones. */
HD_KERNEL void aligned_storage(uint32_t *out)
{
    HD_SHARED(unsigned char, three, 3);
    HD_SHARED(storage_128, a, 2);
    HD_SHARED(unsigned char, five, 5);
    HD_SHARED(storage_1024, b, 1);
    HD_SHARED2(storage_256, c, 2, 3);
    HD_SHARED_ONE(storage_1024, d);
    uint32_t *mine = out + STORAGE_ALIGNED * hd_block_linear();

    if (hd_thread_linear() != 0)
        return;
    three[2] = five[4] = hd_symbol(storage_byte)[0];
    mine[0] = beyond(&a[1], 128);
    mine[1] = beyond(b, 1024);
    mine[2] = beyond(&c[1][2], 256);
    mine[3] = beyond(d, 1024);
    mine[4] = beyond(hd_symbol(storage_aligned), 1024);
    mine[5] = beyond(&hd_symbol(storage_aligned_variable)[1], 256);
    mine[6] = beyond(&storage_aligned_table[1], 128);
    a[1].value = three[2];
    b->value = hd_symbol(storage_aligned)->value;
    c[1][2].value = hd_symbol(storage_aligned_variable)[1].value;
    d->value = storage_aligned_table[1].value * five[4];
    mine[7] = a[1].value + 10 * b->value + 100 * c[1][2].value + 1000 * d->value;
}
HD_DEFINE(aligned_storage)

HD_KERNEL void indices_32(uint32_t *out)
{
    size_t i = hd_block_linear() * hd_block_threads() + hd_thread_linear();

    out[4 * i] = hd_global_x32();
    out[4 * i + 1] = hd_global_y32();
    out[4 * i + 2] = hd_global_z32();
    out[4 * i + 3] = hd_global_size_x32();
}
HD_DEFINE(indices_32)

HD_KERNEL void arguments_25(double *out, int a1, int a2, int a3, int a4, int a5, int a6, int a7,
                            int a8, int a9, int a10, int a11, int a12, int a13, int a14, int a15,
                            int a16, int a17, int a18, int a19, int a20, int a21, int a22, int a23,
                            double a24)
{
    const int given[23] = {a1,  a2,  a3,  a4,  a5,  a6,  a7,  a8,  a9,  a10, a11, a12,
                           a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23};

    for (int i = 0; i < 23; i++)
        out[i] = given[i];
    out[23] = a24;
}
HD_DEFINE(arguments_25)

HD_DEVICE double colour_value(storage_colour c)
{
    return c.r * 65536.0 + c.g * 256.0 + c.b;
}

HD_KERNEL void arguments_64(
    double *out, char a1, short a2, int a3, long a4, long long a5, float a6, double a7,
    unsigned char a8, unsigned short a9, unsigned a10, unsigned long a11, unsigned long long a12,
    size_t a13, storage_colour a14, float a15, char a16, short a17, int a18, long a19,
    long long a20, float a21, double a22, unsigned char a23, unsigned short a24, unsigned a25,
    unsigned long a26, unsigned long long a27, size_t a28, storage_colour a29, float a30, char a31,
    short a32, int a33, long a34, long long a35, float a36, double a37, unsigned char a38,
    unsigned short a39, unsigned a40, unsigned long a41, unsigned long long a42, size_t a43,
    storage_colour a44, float a45, char a46, short a47, int a48, long a49, long long a50, float a51,
    double a52, unsigned char a53, unsigned short a54, unsigned a55, unsigned long a56,
    unsigned long long a57, size_t a58, storage_colour a59, float a60, char a61, short a62, int a63)
{
    const double given[63] = {
        (double)a1,  (double)a2,        (double)a3,  (double)a4,  (double)a5,        (double)a6,
        (double)a7,  (double)a8,        (double)a9,  (double)a10, (double)a11,       (double)a12,
        (double)a13, colour_value(a14), (double)a15, (double)a16, (double)a17,       (double)a18,
        (double)a19, (double)a20,       (double)a21, (double)a22, (double)a23,       (double)a24,
        (double)a25, (double)a26,       (double)a27, (double)a28, colour_value(a29), (double)a30,
        (double)a31, (double)a32,       (double)a33, (double)a34, (double)a35,       (double)a36,
        (double)a37, (double)a38,       (double)a39, (double)a40, (double)a41,       (double)a42,
        (double)a43, colour_value(a44), (double)a45, (double)a46, (double)a47,       (double)a48,
        (double)a49, (double)a50,       (double)a51, (double)a52, (double)a53,       (double)a54,
        (double)a55, (double)a56,       (double)a57, (double)a58, colour_value(a59), (double)a60,
        (double)a61, (double)a62,       (double)a63};

    for (int i = 0; i < 63; i++)
        out[i] = given[i];
}
HD_DEFINE(arguments_64)

HD_KERNEL void arguments_in_struct(double *out, HD_GRID_CONST storage_wide wide)
{
    out[hd_thread_x()] = wide.value[hd_thread_x()];
}
HD_DEFINE(arguments_in_struct)

/* ---- function pointers ----------------------------------------------------------------------- */

typedef int32_t (*binary)(int32_t a, int32_t b);

HD_DEVICE int32_t plus(int32_t a, int32_t b)
{
    return a + b;
}
HD_DEVICE int32_t minus(int32_t a, int32_t b)
{
    return a - b;
}
HD_DEVICE int32_t times(int32_t a, int32_t b)
{
    return a * b;
}

HD_TABLE(binary, operations, 3) = {plus, minus, times};

HD_DEVICE int32_t applied(binary f, int32_t a, int32_t b)
{
    return f(a, b);
}

/* Functions chosen per element from a table, and one by its address. */
HD_KERNEL void called_by_pointer(size_t n, const int32_t *a, const int32_t *b,
                                 const uint32_t *which, int32_t *out)
{
    HD_FOR(i, n)
        out[i] = applied(operations[which[i]], a[i], b[i]) + applied(minus, a[i], 1);
}
HD_DEFINE(called_by_pointer)
