/* SPDX-License-Identifier: Apache-2.0 */
/* zoo.h - what the host side of the planted bugs shares. A run of the corrected twin checks its
   result; a run of the bug only has to come to an end. */
#ifndef HEDDLE_TESTS_ZOO_H
#define HEDDLE_TESTS_ZOO_H

#include <heddle/heddle.h>

#include "bugs.h"

extern int zoo_bug;           /* 1: the bug, 0: its corrected twin */
extern hd_stream *zoo_stream; /* of device 0 */
extern unsigned zoo_warp;     /* lanes in a warp of device 0 */

#define ZOO_RUN_DECLARE(name, family, code, warps, where, also) void run_##name(void);
BUGS(ZOO_RUN_DECLARE)
#undef ZOO_RUN_DECLARE

/* A twin ends here when a call fails; a bug prints the error and goes on. Returns 1 for HD_OK. */
int zoo_must(const char *file, int line, const char *text, hd_status status);
#define MUST(call) zoo_must(__FILE__, __LINE__, #call, (call))

/* Element i of every input. */
static inline uint32_t x(size_t i)
{
    return (uint32_t)(i * 7 % 101 + 1);
}

/* Sum of `count` elements of the input. */
uint32_t zoo_sum(size_t first, size_t count);

/* Device memory of n words: the input; zeroes; whatever was there. */
uint32_t *zoo_input(size_t n);
uint32_t *zoo_zeroed(size_t n);
uint32_t *zoo_raw(size_t n);
/* Frees memory and waits for the stream. */
void zoo_drop(void *device);

/* Waits, then compares n words of device memory with want(i); nothing to do for a bug. */
void zoo_expect(const uint32_t *device, size_t n, uint32_t (*want)(size_t i));
/* The same for one value on the host. */
void zoo_expect_value(const char *what, uint32_t got, uint32_t wanted);

/* ---- kernels of one shape -------------------------------------------------------------------- */

enum { ZOO_SCRATCH = 8192 }; /* words of scratch memory, zeroed */

typedef struct zoo_shape {
    unsigned grid, block;
    size_t shared_bytes;
    unsigned flags; /* of the launch */
    size_t outs;    /* words of the result, zeroed */
} zoo_shape;

/* What a launch of that shape needs: an input of a word per thread, a result of zeroes. */
typedef struct zoo_data {
    hd_launch_config config;
    const uint32_t *in;
    uint32_t *out, *scratch;
    size_t outs;
} zoo_data;

zoo_data zoo_begin(zoo_shape shape);
/* Compares the result and gives the memory back. */
void zoo_end(const zoo_data *data, uint32_t (*want)(size_t i));

/* RUN(name, kernel, how, element i of the result, shape...): the kernel gets `how` for the bug and
   0 for the twin. RUN_SCRATCH: the same for a kernel with scratch memory. */
#define RUN(name, kernel, how, wanted, ...)                                                        \
    RUN_BEGIN_(name, wanted, __VA_ARGS__)                                                          \
    MUST(hd_launch(kernel, data.config, zoo_bug ? (how) : 0, data.in, data.out));                  \
    RUN_END_(name)
#define RUN_SCRATCH(name, kernel, how, wanted, ...)                                                \
    RUN_BEGIN_(name, wanted, __VA_ARGS__)                                                          \
    MUST(hd_launch(kernel, data.config, zoo_bug ? (how) : 0, data.in, data.out, data.scratch));    \
    RUN_END_(name)
#define RUN_BEGIN_(name, wanted, ...)                                                              \
    static uint32_t want_##name(size_t i)                                                          \
    {                                                                                              \
        (void)i;                                                                                   \
        return (uint32_t)(wanted);                                                                 \
    }                                                                                              \
    void run_##name(void)                                                                          \
    {                                                                                              \
        const zoo_shape shape = {__VA_ARGS__};                                                     \
        zoo_data data = zoo_begin(shape);
#define RUN_END_(name)                                                                             \
    zoo_end(&data, want_##name);                                                                   \
    }

#endif
