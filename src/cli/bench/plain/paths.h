/* SPDX-License-Identifier: Apache-2.0 */
/* paths.h - paths of two assets in plain C: the model of hd_montecarlo_default. */
#ifndef HEDDLE_CLI_BENCH_PLAIN_PATHS_H
#define HEDDLE_CLI_BENCH_PLAIN_PATHS_H

#include "random.h"

typedef struct plain_model {
    float drift, sigma;
} plain_model;

typedef struct plain_assets {
    float a, b, sum;
} plain_assets;

static inline plain_model plain_model_of(unsigned steps)
{
    const float dt = 1.0f / (float)steps;
    plain_model m;

    m.drift = 1.0f + 0.05f * dt;
    m.sigma = 0.1f * sqrtf(dt);
    return m;
}

static inline void plain_step(const plain_model *m, float z1, float z2, plain_assets *s)
{
    s->a *= m->drift + m->sigma * z1;
    s->b *= m->drift + m->sigma * (0.5f * z1 + 0.8660254f * z2);
    s->sum += s->a;
}

static inline double plain_worth(const plain_assets *s, unsigned steps, plain_payoff payoff)
{
    const float mean = payoff == PLAIN_ASIAN ? s->sum / (float)steps : s->a;

    if (payoff == PLAIN_DIGITAL)
        return s->a >= 0.9f && s->a <= 1.1f && s->b >= 0.9f && s->b <= 1.1f ? 1.0 : 0.0;
    return mean > 1.0f ? (double)(mean - 1.0f) : 0.0;
}

#endif
