// The constants of math_constants.h, read in a kernel, against the mathematical functions.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <math_constants.h>

enum { FLOATS = 27, DOUBLES = 32 };

__global__ void read(float *f, double *d)
{
    const float floats[FLOATS] = {
        CUDART_INF_F,        CUDART_MAX_NORMAL_F, CUDART_MIN_DENORM_F,     CUDART_ZERO_F,
        CUDART_NEG_ZERO_F,   CUDART_ONE_F,        CUDART_SQRT_HALF_F,      CUDART_SQRT_TWO_F,
        CUDART_THIRD_F,      CUDART_PIO4_F,       CUDART_PIO2_F,           CUDART_3PIO4_F,
        CUDART_2_OVER_PI_F,  CUDART_PI_F,         CUDART_SQRT_2_OVER_PI_F, CUDART_L2E_F,
        CUDART_L2T_F,        CUDART_LG2_F,        CUDART_LGE_F,            CUDART_LN2_F,
        CUDART_LNT_F,        CUDART_LNPI_F,       CUDART_TWO_TO_M126_F,    CUDART_TWO_TO_126_F,
        CUDART_TWO_TO_23_F,  CUDART_TWO_TO_32_F,  CUDART_NORM_HUGE_F};
    const double doubles[DOUBLES] = {
        CUDART_INF,       CUDART_MIN_DENORM, CUDART_ZERO,      CUDART_NEG_ZERO,     CUDART_ONE,
        CUDART_SQRT_HALF, CUDART_SQRT_TWO,   CUDART_THIRD,     CUDART_TWOTHIRD,     CUDART_PIO4,
        CUDART_PIO2,      CUDART_3PIO4,      CUDART_2_OVER_PI, CUDART_PI,           CUDART_SQRT_2PI,
        CUDART_SQRT_PIO2, CUDART_SQRT_2OPI,  CUDART_L2E,       CUDART_L2T,          CUDART_LG2,
        CUDART_LGE,       CUDART_LN2,        CUDART_LNT,       CUDART_LNPI,         CUDART_TWO_TO_52,
        CUDART_TWO_TO_53, CUDART_TWO_TO_54,  CUDART_TWO_TO_M54, CUDART_TWO_TO_M1022, CUDART_PI_HI,
        CUDART_PIO2_HI,   CUDART_PIO4_HI};
    for (int i = 0; i < FLOATS; i++)
        f[i] = floats[i];
    for (int i = 0; i < DOUBLES; i++)
        d[i] = doubles[i];
}

static int wrong;
static void compare(const char *what, int i, double found, double expected, double tolerance)
{
    if (found == expected && std::signbit(found) == std::signbit(expected))
        return;
    if (std::fabs(found - expected) <= tolerance * std::fabs(expected) && expected != 0)
        return;
    fprintf(stderr, "%s %d: %.17g, expected %.17g\n", what, i, found, expected);
    wrong++;
}

int main()
{
    const double pi = std::acos(-1.0), infinity = HUGE_VAL, largest = std::ldexp(2 - std::ldexp(1, -23), 127);
    const double floats[FLOATS] = {infinity,
                                   largest,
                                   std::ldexp(1, -149),
                                   0.0,
                                   -0.0,
                                   1,
                                   std::sqrt(0.5),
                                   std::sqrt(2),
                                   1 / 3.0,
                                   pi / 4,
                                   pi / 2,
                                   3 * pi / 4,
                                   2 / pi,
                                   pi,
                                   std::sqrt(2 / pi),
                                   1 / std::log(2),
                                   std::log2(10),
                                   std::log10(2),
                                   1 / std::log(10),
                                   std::log(2),
                                   std::log(10),
                                   std::log(pi),
                                   std::ldexp(1, -126),
                                   std::ldexp(1, 126),
                                   std::ldexp(1, 23),
                                   std::ldexp(1, 32),
                                   largest};
    const double doubles[DOUBLES] = {infinity,
                                     std::ldexp(1, -1074),
                                     0.0,
                                     -0.0,
                                     1,
                                     std::sqrt(0.5),
                                     std::sqrt(2),
                                     1 / 3.0,
                                     2 / 3.0,
                                     pi / 4,
                                     pi / 2,
                                     3 * pi / 4,
                                     2 / pi,
                                     pi,
                                     std::sqrt(2 * pi),
                                     std::sqrt(pi / 2),
                                     std::sqrt(2 / pi),
                                     1 / std::log(2),
                                     std::log2(10),
                                     std::log10(2),
                                     1 / std::log(10),
                                     std::log(2),
                                     std::log(10),
                                     std::log(pi),
                                     std::ldexp(1, 52),
                                     std::ldexp(1, 53),
                                     std::ldexp(1, 54),
                                     std::ldexp(1, -54),
                                     std::ldexp(1, -1022),
                                     pi,
                                     pi / 2,
                                     pi / 4};
    float *f;
    double *d;
    cudaMallocManaged(&f, FLOATS * sizeof *f);
    cudaMallocManaged(&d, DOUBLES * sizeof *d);
    read<<<1, 1>>>(f, d);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < FLOATS; i++)
        compare("float", i, f[i], (float)floats[i], 0);
    for (int i = 0; i < DOUBLES; i++)
        compare("double", i, d[i], doubles[i], 4e-16);
    // What is missing to pi in the double above.
    compare("low part", 0, CUDART_PI_LO, (double)(std::acos(-1.0L) - CUDART_PI), 1e-3);
    compare("low part", 1, CUDART_PIO2_LO, CUDART_PI_LO / 2, 0);
    compare("low part", 2, CUDART_PIO4_LO, CUDART_PI_LO / 4, 0);
    wrong += CUDART_NAN_F == CUDART_NAN_F || CUDART_NAN == CUDART_NAN;
    cudaFree(f);
    cudaFree(d);
    printf("constants %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
