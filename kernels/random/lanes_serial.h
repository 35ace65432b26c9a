/* SPDX-License-Identifier: Apache-2.0 */
/* lanes_serial.h - one thread generates 64 neighbouring lanes of MRG32k3a or XORWOW, in loops that
   the compiler vectorises. */
#ifndef HEDDLE_KERNELS_RANDOM_LANES_SERIAL_H
#define HEDDLE_KERNELS_RANDOM_LANES_SERIAL_H

#include "values.h"

/* Lanes `lane` to lane + 63 generate 64 blocks per round. Returns the first block of their first
   round that contains a block of the call. */
HD_DEVICE uint64_t rnd_lanes_begin(const hd__random_task *task, uint64_t lane)
{
    const uint64_t from = task->block / HD__RANDOM_LANES * HD__RANDOM_LANES + lane;

    return from + RND_MANY > task->block ? from : from + HD__RANDOM_LANES;
}

/* ---- MRG32k3a -------------------------------------------------------------------------------- */

/* States as integers in f64. */
typedef struct rnd_mrg_lanes {
    double a[3][RND_MANY], b[3][RND_MANY];
} rnd_mrg_lanes;

#define RND_NEAREST 0x1.8p52 /* adding and subtracting it rounds to the nearest integer */

/* x modulo m, for an integer x below 2^53. */
HD_DEVICE double rnd_modulo(double x, double m)
{
    const double rest = x - ((x * (1.0 / m) + RND_NEAREST) - RND_NEAREST) * m;

    return rest + (rest < 0.0 ? m : 0.0);
}

/* c x modulo m, or m less, for c and x below m. */
HD_DEVICE double rnd_product(uint32_t c, double x, double m)
{
    const double high = (double)c * x, low = hd_fma((double)c, x, -high);
    const double k = (high * (1.0 / m) + RND_NEAREST) - RND_NEAREST;

    return hd_fma(-k, m, high) + low;
}

/* Computes the states of lanes `lanes` to 2 lanes - 1 from those of lanes 0 to lanes - 1 by one
   jump. Computes at least eight; those beyond 2 lanes - 1 are not used. */
HD_DEVICE void rnd_mrg_jump(const uint32_t *jump, double m, unsigned lanes, double (*v)[RND_MANY])
{
    double to[3][RND_MANY / 2];

    for (unsigned l = 0; l < hd_max(lanes, 8u); l++) {
        HD_UNROLL
        for (unsigned i = 0; i < 3; i++)
            to[i][l] = rnd_modulo(rnd_product(jump[3 * i], v[0][l], m) +
                                      rnd_product(jump[3 * i + 1], v[1][l], m) +
                                      rnd_product(jump[3 * i + 2], v[2][l], m),
                                  m);
    }
    for (unsigned i = 0; i < 3; i++)
        for (unsigned l = 0; l < hd_max(lanes, 8u); l++)
            v[i][lanes + l] = to[i][l];
}

/* Computes the states of all lanes from that of lane 0. */
HD_WIDE void rnd_mrg_spread(const hd__random_mrg *mrg, rnd_mrg_lanes *g)
{
    for (unsigned i = 0; i < 3; i++)
        for (unsigned l = 1; l < 8; l++)
            g->a[i][l] = g->b[i][l] = 0.0;
    for (unsigned bit = 0; 1u << bit < RND_MANY; bit++) {
        rnd_mrg_jump(mrg->lanes[bit].a, (double)HD_MRG_M1, 1u << bit, g->a);
        rnd_mrg_jump(mrg->lanes[bit].b, (double)HD_MRG_M2, 1u << bit, g->b);
    }
}

/* States of lanes `lane` to lane + 63, lane a multiple of 64, in the round of lane 0. */
HD_DEVICE void rnd_mrg_make(const hd__random_mrg *mrg, uint32_t lane, rnd_mrg_lanes *g)
{
    hd_mrg32k3a first = mrg->first;

    for (unsigned bit = 0; bit < HD__RANDOM_LANE_BITS; bit++)
        if (lane >> bit & 1u)
            hd_mrg32k3a_go(&first, &mrg->lanes[bit]);
    for (unsigned i = 0; i < 3; i++) {
        g->a[i][0] = (double)first.a[i];
        g->b[i][0] = (double)first.b[i];
    }
    rnd_mrg_spread(mrg, g);
}

/* Generates one block of each lane. */
HD_WIDE void rnd_mrg_next(rnd_mrg_lanes *HD_RESTRICT g, rnd_words *HD_RESTRICT words)
{
    for (unsigned l = 0; l < RND_MANY; l++) {
        double a[7], b[7];
        HD_UNROLL
        for (unsigned i = 0; i < 3; i++) {
            a[i] = g->a[i][l];
            b[i] = g->b[i][l];
        }
        HD_UNROLL
        for (unsigned i = 0; i < 4; i++) {
            double word;
            a[i + 3] = rnd_modulo(1403580.0 * a[i + 1] - 810728.0 * a[i], (double)HD_MRG_M1);
            b[i + 3] = rnd_modulo(527612.0 * b[i + 2] - 1370589.0 * b[i], (double)HD_MRG_M2);
            word = a[i + 3] - b[i + 3];
            word += word < 0.0 ? (double)HD_MRG_M1 : 0.0;
            words->w[i][l] = (uint32_t)hd_f64_bits(word + 0x1p52);
        }
        HD_UNROLL
        for (unsigned i = 0; i < 3; i++) {
            g->a[i][l] = a[i + 4];
            g->b[i][l] = b[i + 4];
        }
    }
}

/* ---- XORWOW ---------------------------------------------------------------------------------- */

typedef struct rnd_xorwow_lanes {
    uint32_t x[5][RND_MANY], d[RND_MANY];
} rnd_xorwow_lanes;

/* Generates one block of each lane. */
HD_WIDE void rnd_xorwow_next(rnd_xorwow_lanes *HD_RESTRICT g, rnd_words *HD_RESTRICT words)
{
    for (unsigned l = 0; l < RND_MANY; l++) {
        hd_xorwow one;
        HD_UNROLL
        for (unsigned i = 0; i < 5; i++)
            one.x[i] = g->x[i][l];
        one.d = g->d[l];
        HD_UNROLL
        for (unsigned i = 0; i < 4; i++)
            words->w[i][l] = hd_xorwow_next(&one);
        HD_UNROLL
        for (unsigned i = 0; i < 5; i++)
            g->x[i][l] = one.x[i];
        g->d[l] = one.d;
    }
}

/* hd_xorwow_make for 64 lanes, from two Philox blocks each. */
HD_WIDE void rnd_xorwow_deal(const rnd_words *words, rnd_xorwow_lanes *g)
{
    for (unsigned half = 0; half < 2; half++)
        for (unsigned l = 0; l < RND_MANY / 2; l++) {
            const rnd_words *from = words + half;
            const unsigned to = half * (RND_MANY / 2) + l;
            g->x[0][to] = from->w[0][2 * l] | 1u;
            g->x[1][to] = from->w[1][2 * l];
            g->x[2][to] = from->w[2][2 * l];
            g->x[3][to] = from->w[3][2 * l];
            g->x[4][to] = from->w[0][2 * l + 1];
            g->d[to] = from->w[1][2 * l + 1];
        }
}

/* States of lanes `lane` to lane + 63 in round `round`. */
HD_DEVICE void rnd_xorwow_make(const hd__random_task *task, uint32_t lane, uint64_t round,
                               rnd_xorwow_lanes *g)
{
    rnd_words words[2];

    for (unsigned half = 0; half < 2; half++)
        rnd_words_of_blocks(&task->keys, task->subsequence,
                            2 * (uint64_t)lane + half * (uint64_t)RND_MANY, &words[half]);
    rnd_xorwow_deal(words, g);
    for (; round > 0; round--)
        rnd_xorwow_next(g, &words[0]);
}

#endif
