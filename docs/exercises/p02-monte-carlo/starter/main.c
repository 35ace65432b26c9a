/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - simulates a European call and checks the normal numbers, the payoff of each path, and
   the price, for which there is a formula. */
#include <math.h>

#include <heddle/device/random_kernel.h>

#include "exercise.h"

#include "host.h"
#include "layout.h"

enum { PATHS = 2000, SEED = 7 };

static const double spot = 1.0, strike = 1.05, rate = 0.05, volatility = 0.2; /* for one year */

static option make_option(void)
{
    const double step = 1.0 / STEPS;
    const option o = {(float)spot, (float)strike,
                      (float)((rate - 0.5 * volatility * volatility) * step),
                      (float)(volatility * sqrt(step)), (float)exp(-rate)};

    return o;
}

/* The price by the formula of Black and Scholes. */
static double exact_price(void)
{
    const double d1 = (log(spot / strike) + rate + 0.5 * volatility * volatility) / volatility;
    const double d2 = d1 - volatility;

    return spot * 0.5 * erfc(-d1 / sqrt(2.0)) - strike * exp(-rate) * 0.5 * erfc(-d2 / sqrt(2.0));
}

/* The normal number of a path and a step, as kernel.h defines it. */
static float normal(size_t path, size_t step)
{
    const hd_u32x4 words = hd_random_block(SEED, path, step / 4);
    float z0, z1;

    if (step % 4 < 2)
        hd_normal_pair_f32(words.x, words.y, &z0, &z1);
    else
        hd_normal_pair_f32(words.z, words.w, &z0, &z1);
    return step % 2 ? z1 : z0;
}

static int check_path(size_t path, const float *normals, float payoff, size_t paths)
{
    const option o = make_option();
    double price = o.spot, expected;

    for (size_t step = 0; step < STEPS; step++) {
        const float z = normals[place(path, step, paths, STEPS)], right = normal(path, step);

        if (exercise_bits(z) != exercise_bits(right))
            return exercise_wrong("the normal number of path %zu, step %zu is %g, expected %g",
                                  path, step, (double)z, (double)right);
        price *= exp(o.drift + (double)o.volatility * z);
    }
    expected = o.discount * fmax(price - o.strike, 0.0);
    if (!(fabs(payoff - expected) < 1e-5))
        return exercise_wrong("the payoff of path %zu is %.7g, expected %.7g", path, (double)payoff,
                              expected);
    return 0;
}

static int check(const simulation *s, float price, hd_stream *stream)
{
    float *normals = malloc(s->paths * STEPS * sizeof *normals);
    float *payoffs = malloc(s->paths * sizeof *payoffs);
    double squares = 0.0, deviation;
    int result = !normals || !payoffs;

    if (!result) {
        TRY(hd_copy_blocking(normals, s->normals, s->paths * STEPS, stream));
        TRY(hd_copy_blocking(payoffs, s->payoffs, s->paths, stream));
        for (size_t path = 0; path < s->paths && !result; path++) {
            result = check_path(path, normals, payoffs[path], s->paths);
            squares += ((double)payoffs[path] - price) * ((double)payoffs[path] - price);
        }
    }
    deviation = sqrt(squares) / (double)s->paths; /* standard error of the price */
    if (!result && !(fabs(price - exact_price()) < 4.0 * deviation))
        result = exercise_wrong("the price is %.6f, expected %.6f within %.6f", (double)price,
                                exact_price(), 4.0 * deviation);
    if (!result)
        printf("price %.6f (bits %08x), standard error %.6f, Black and Scholes %.6f\n",
               (double)price, exercise_bits(price), deviation, exact_price());
    free(payoffs);
    free(normals);
    return result;
}

int main(int argc, char **argv)
{
    simulation s = {.paths = exercise_size(argc, argv, PATHS)};
    const option o = make_option();
    hd_stream *stream;
    float price = 0.0f;
    int result;

    TRY(hd_stream_create(0, &stream));
    TRY(hd_alloc(&s.normals, s.paths * STEPS, 0));
    TRY(hd_alloc(&s.payoffs, s.paths, 0));
    TRY(hd_alloc(&s.sum, 1, 0));
    TRY(simulate(stream, &o, SEED, &s, &price));
    result = check(&s, price, stream);
    TRY(hd_free(s.sum));
    TRY(hd_free(s.payoffs));
    TRY(hd_free(s.normals));
    TRY(hd_stream_destroy(stream));
    return result;
}
