/* SPDX-License-Identifier: Apache-2.0 */
/* test_fast.c - the fast approximations are within the bounds of docs/dialect.md, compared with the
   C library's functions of double.

   The bounds follow from those of the instructions. u = 2^-23: the greatest ulp of a float,
   relative to it.
     exp2        2 u (NVIDIA's statement for ex2.approx; AMD's v_exp_f32: 1 u)
     log2        2^-21.4 absolute for x in [1/2, 2], otherwise 2 u
     exp(x)      exp2(t), t = x log2(e): constant and product are rounded, 2^-24 |t| each; hence
                 2 u + ln 2 (2 2^-24 |t|) = u (2 + |x|)
     log(x)      log2(x) ln 2 and two roundings: 2^-21.4, or 4 u
     pow(x, y)   exp2(y L), L = log2(x) with error e = max(2^-21.4, 2 u |L|), and the product is
                 rounded by 2^-24 |y L|: 2 u + ln 2 |y| (e + 2^-24 |L|)
     sin, cos    2^-20 absolute for |x| <= pi: 2^-20.5 of the instruction, 2^-22 of x / 2 pi (AMD)
     rcp         u
     div         3 u: reciprocal and product, u + u / 2, in ulp of the quotient at most twice that
     sqrt, rsqrt 2 u */
#include "fast.h"
#include "rig.h"

#include <math.h>

static const double ulp = 0x1p-23;

typedef struct fast_case {
    const char *name;
    unsigned function;
    float low, high; /* range of x; logarithmic: of its binary logarithm */
    int logarithmic;
    float y_low, y_high; /* range of y */
} fast_case;

static const fast_case cases[] = {
    {"exp", FAST_EXP, -87.0f, 88.0f, 0, 0, 0},
    {"exp2", FAST_EXP2, -125.9f, 127.9f, 0, 0, 0},
    {"log", FAST_LOG, -126.0f, 127.9f, 1, 0, 0},
    {"log, around 1", FAST_LOG, 0.5f, 2.0f, 0, 0, 0},
    {"log2", FAST_LOG2, -126.0f, 127.9f, 1, 0, 0},
    {"log2, around 1", FAST_LOG2, 0.5f, 2.0f, 0, 0, 0},
    {"sin", FAST_SIN, -3.1415925f, 3.1415925f, 0, 0, 0},
    {"cos", FAST_COS, -3.1415925f, 3.1415925f, 0, 0, 0},
    {"pow", FAST_POW, -20.0f, 20.0f, 1, -6.0f, 6.0f},
    {"pow, around 1", FAST_POW, 0.5f, 2.0f, 0, -100.0f, 100.0f},
    {"div", FAST_DIV, -60.0f, 60.0f, 1, -0x1p60f, 0x1p60f},
    {"rcp", FAST_RCP, -125.0f, 125.0f, 1, 0, 0},
    {"sqrt", FAST_SQRT, -126.0f, 127.9f, 1, 0, 0},
    {"rsqrt", FAST_RSQRT, -126.0f, 127.9f, 1, 0, 0},
};

static double exact(unsigned function, double x, double y)
{
    switch (function) {
    case FAST_EXP:
        return exp(x);
    case FAST_EXP2:
        return exp2(x);
    case FAST_LOG:
        return log(x);
    case FAST_LOG2:
        return log2(x);
    case FAST_SIN:
        return sin(x);
    case FAST_COS:
        return cos(x);
    case FAST_POW:
        return pow(x, y);
    case FAST_DIV:
        return x / y;
    case FAST_RCP:
        return 1.0 / x;
    case FAST_SQRT:
        return sqrt(x);
    default:
        return 1.0 / sqrt(x);
    }
}

/* The greatest permitted error, absolute. */
static double bound(unsigned function, double x, double y)
{
    const double value = fabs(exact(function, x, y)), near = 0x1p-21 * 0.7579 /* 2^-21.4 */;
    double l, e;

    switch (function) {
    case FAST_EXP:
        return value * ulp * (2.0 + fabs(x));
    case FAST_EXP2:
    case FAST_SQRT:
    case FAST_RSQRT:
        return value * ulp * 2.0;
    case FAST_LOG:
        return x >= 0.5 && x <= 2.0 ? near : value * ulp * 4.0;
    case FAST_LOG2:
        return x >= 0.5 && x <= 2.0 ? near : value * ulp * 2.0;
    case FAST_SIN:
    case FAST_COS:
        return 0x1p-20;
    case FAST_POW:
        l = fabs(log2(x));
        e = near > 2.0 * ulp * l ? near : 2.0 * ulp * l;
        return value * (2.0 * ulp + 0.6932 * fabs(y) * (e + 0x1p-24 * l));
    case FAST_DIV:
        return value * ulp * 3.0;
    default:
        return value * ulp;
    }
}

static float between(uint64_t *state, float low, float high)
{
    return (float)(low + (high - low) * ((double)(rig_random(state) >> 11) * 0x1p-53));
}

static void run_case(const fast_case *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *x = rig_host(bytes), *y = rig_host(bytes), *out = rig_host(bytes);
    uint64_t state = c->function + 1;
    double worst = 0.0;
    size_t at = 0;
    void *d_x, *d_y, *d_out = rig_zeroed(bytes);

    for (size_t i = 0; i < n; i++) {
        x[i] = between(&state, c->low, c->high);
        if (c->logarithmic)
            x[i] = exp2f(x[i]);
        y[i] = between(&state, c->y_low, c->y_high);
    }
    x[0] = c->logarithmic ? exp2f(c->low) : c->low;
    d_x = rig_upload(x, bytes);
    d_y = rig_upload(y, bytes);
    MUST(hd_launch(fast_values, rig_flat(20, 256), n, c->function, (const float *)d_x,
                   (const float *)d_y, (float *)d_out));
    rig_download(out, d_out, bytes);
    for (size_t i = 0; i < n; i++) {
        const double error = fabs((double)out[i] - exact(c->function, (double)x[i], (double)y[i]));
        const double part = error / bound(c->function, (double)x[i], (double)y[i]);

        if (!(part <= worst)) { /* also if it is not a number */
            worst = part;
            at = i;
        }
    }
    printf("  %s: %.3f of the bound, at %.9g, %.9g\n", c->name, worst, (double)x[at],
           (double)y[at]);
    if (!(worst <= 1.0))
        test_fail(__FILE__, __LINE__, "%s of %.9g, %.9g is %.9g instead of %.9g", c->name,
                  (double)x[at], (double)y[at], (double)out[at],
                  exact(c->function, (double)x[at], (double)y[at]));
    rig_drop(d_x);
    rig_drop(d_y);
    rig_drop(d_out);
    free(x);
    free(y);
    free(out);
}

TEST(approximations_are_within_their_bounds)
{
    rig_open();
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        run_case(&cases[c], rig_size(100001, 301));
}

TEST_MAIN
