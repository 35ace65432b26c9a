/* SPDX-License-Identifier: Apache-2.0 */
/* storage.h - declares the kernels of kern_storage.c. */
#ifndef HEDDLE_TESTS_STORAGE_H
#define HEDDLE_TESTS_STORAGE_H

#include <heddle/kernel_decl.h>

enum { CUBE_Z = 3, CUBE_Y = 5, CUBE_X = 7, CUBE = CUBE_Z * CUBE_Y * CUBE_X };
enum { STORAGE_WEIGHTS = 5, STORAGE_PRIMES = 4 };

typedef struct storage_colour {
    unsigned char r, g, b;
} storage_colour;

/* Struct of many values, the other way to pass more arguments than a list holds. */
typedef struct storage_wide {
    double value[70];
} storage_wide;

/* Elements of 128, 256 and 1024 bytes, which begin at multiples of their size. */
typedef struct HD_ALIGN(128) storage_128 {
    uint32_t value;
} storage_128;
typedef struct HD_ALIGN(256) storage_256 {
    uint32_t value;
} storage_256;
typedef struct HD_ALIGN(1024) storage_1024 {
    uint32_t value;
} storage_1024;
enum { STORAGE_ALIGNED = 8 };

HD_DECLARE(shared_scalars, uint32_t *)
HD_DECLARE(aligned_storage, uint32_t *)
HD_DECLARE(shared_cube, uint32_t *)
HD_DECLARE(initialised, float *, uint32_t *)
HD_DECLARE(indices_32, uint32_t *)
HD_DECLARE(arguments_25, double *, int, int, int, int, int, int, int, int, int, int, int, int, int,
           int, int, int, int, int, int, int, int, int, int, double)
HD_DECLARE(arguments_64, double *, char, short, int, long, long long, float, double, unsigned char,
           unsigned short, unsigned, unsigned long, unsigned long long, size_t, storage_colour,
           float, char, short, int, long, long long, float, double, unsigned char, unsigned short,
           unsigned, unsigned long, unsigned long long, size_t, storage_colour, float, char, short,
           int, long, long long, float, double, unsigned char, unsigned short, unsigned,
           unsigned long, unsigned long long, size_t, storage_colour, float, char, short, int, long,
           long long, float, double, unsigned char, unsigned short, unsigned, unsigned long,
           unsigned long long, size_t, storage_colour, float, char, short, int)
HD_DECLARE(arguments_in_struct, double *, storage_wide)
HD_DECLARE(called_by_pointer, size_t, const int32_t *, const int32_t *, const uint32_t *, int32_t *)
HD_DECLARE_SYMBOL(storage_weights)
HD_DECLARE_SYMBOL(storage_primes)

#endif
