/* SPDX-License-Identifier: Apache-2.0 */
/* random_reference.c - elements of `heddle random`, computed one by one on the host. */
#include "random_reference.h"

#include <string.h>

#include <heddle/device/random_poisson.h>

enum { ALL = 1 << 20 };

double random_element(const random_call *c, const void *data, size_t i)
{
    switch (c->type) {
    case HD_U32:
        return (double)((const uint32_t *)data)[i];
    case HD_U64:
        return (double)((const uint64_t *)data)[i];
    case HD_F32:
        return (double)((const float *)data)[i];
    default:
        return ((const double *)data)[i];
    }
}

int random_has_reference(const random_call *c)
{
    if (c->distribution == RANDOM_SOBOL)
        return c->dimensions == 1 && c->kind == HD_SOBOL_PLAIN;
    return c->from.generator == HD_PHILOX;
}

static void make_f32(const random_call *c, uint64_t i, float *out)
{
    const hd_u32x4 w = hd_random_block(c->from.seed, c->from.subsequence, i / 4);
    const uint32_t word[4] = {w.x, w.y, w.z, w.w};
    float z[2];

    if (c->distribution == RANDOM_UNIFORM) {
        *out = hd_uniform_f32(word[i % 4]);
        return;
    }
    hd_normal_pair_scaled_f32(word[i % 4 & 2], word[(i % 4 & 2) + 1], (float)c->mean,
                              (float)c->deviation, &z[0], &z[1]);
    *out = z[i % 2];
    if (c->distribution == RANDOM_LOGNORMAL)
        *out = hd_pure_exp_f32(*out);
}

static void make_f64(const random_call *c, uint64_t i, double *out)
{
    const hd_u32x4 w = hd_random_block(c->from.seed, c->from.subsequence, i / 2);
    const uint64_t word[2] = {hd_random_u64(w.x, w.y), hd_random_u64(w.z, w.w)};
    double z[2];

    if (c->distribution == RANDOM_UNIFORM) {
        *out = hd_uniform_f64(word[i % 2]);
        return;
    }
    hd_normal_pair_f64(word[0], word[1], &z[0], &z[1]);
    *out = __builtin_fma(c->deviation, z[i % 2], c->mean);
    if (c->distribution == RANDOM_LOGNORMAL)
        *out = hd_pure_exp_f64(*out);
}

static void make_bits(const random_call *c, uint64_t i, void *out)
{
    const size_t size = hd_type_bytes(c->type), per = 16 / size;
    const hd_u32x4 w = hd_random_block(c->from.seed, c->from.subsequence, i / per);

    memcpy(out, (const char *)&w + i % per * size, size);
}

/* The first dimension of the Sobol sequence is the van der Corput sequence: the bits reversed. */
static void make_point(const random_call *c, uint64_t i, void *out)
{
    const uint32_t index = (uint32_t)i, word = hd_bit_reverse_u32(index ^ index >> 1);
    const float narrow = hd_uniform_f32(word);
    const double wide = (double)word * 0x1p-32;

    memcpy(out, c->type == HD_F32 ? (const void *)&narrow : (const void *)&wide,
           hd_type_bytes(c->type));
}

static void make(const random_call *c, const hd_poisson *poisson, uint64_t i, void *out)
{
    if (c->distribution == RANDOM_POISSON)
        *(uint32_t *)out = hd_random_poisson(c->from.seed, c->from.subsequence, i, poisson);
    else if (c->distribution == RANDOM_BITS)
        make_bits(c, i, out);
    else if (c->distribution == RANDOM_SOBOL)
        make_point(c, i, out);
    else if (c->type == HD_F32)
        make_f32(c, i, out);
    else
        make_f64(c, i, out);
}

size_t random_wrong(const random_call *c, const void *data)
{
    const size_t size = hd_type_bytes(c->type), step = c->n / ALL + 1;
    const hd_poisson poisson = hd_poisson_make(c->distribution == RANDOM_POISSON ? c->mean : 0);
    uint64_t expected = 0;

    if (!random_has_reference(c))
        return SIZE_MAX;
    for (size_t i = 0; i < c->n; i += step) {
        make(c, &poisson, c->from.offset + i, &expected);
        if (memcmp((const char *)data + i * size, &expected, size) != 0)
            return i;
    }
    return SIZE_MAX;
}
