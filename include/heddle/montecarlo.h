/* SPDX-License-Identifier: Apache-2.0 */
/* montecarlo.h - prices of options on two correlated assets by simulated paths, with the same bits
   on every backend. */
#ifndef HEDDLE_MONTECARLO_H
#define HEDDLE_MONTECARLO_H

#include <heddle/random.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, text, what): what a path is worth at its end, then discounted by exp(-rate * years). */
#define HD_PAYOFF_LIST(X)                                                                          \
    X(HD_DIGITAL, "digital", "1 where both assets end within 10 % of the start")                   \
    X(HD_ASIAN_CALL, "asian", "what the first asset's mean over the steps exceeds the strike by")  \
    X(HD_EUROPEAN_CALL, "european", "what the first asset's end exceeds the strike by")

typedef enum hd_payoff {
#define HD_PAYOFF_ENUM_(name, text, what) name,
    HD_PAYOFF_LIST(HD_PAYOFF_ENUM_)
#undef HD_PAYOFF_ENUM_
        HD_PAYOFF_COUNT_
} hd_payoff;

/* X(name, text, what): where the normals come from. The first three give the same bits. */
#define HD_NORMALS_LIST(X)                                                                         \
    X(HD_NORMALS_FUSED, "fused", "made in the kernel that uses them (default)")                    \
    X(HD_NORMALS_COALESCED, "coalesced", "read from memory, neighbouring paths side by side")      \
    X(HD_NORMALS_STRIDED, "strided", "read from memory, path after path")                          \
    X(HD_NORMALS_SOBOL, "sobol", "scrambled Sobol points, at most 128 steps")

typedef enum hd_normals {
#define HD_NORMALS_ENUM_(name, text, what) name,
    HD_NORMALS_LIST(HD_NORMALS_ENUM_)
#undef HD_NORMALS_ENUM_
        HD_NORMALS_COUNT_
} hd_normals;

/* The names "digital" ..., "fused" ... */
const char *hd_payoff_name(hd_payoff payoff);
const char *hd_normals_name(hd_normals normals);

/* Both assets start at `spot` and take `steps` equal steps of dt = years / steps:
   s = s * (1 + rate * dt + volatility * sqrt(dt) * z), in f32, with standard normals of which the
   second asset's is correlation * z1 + sqrt(1 - correlation^2) * z2. Path p takes z1, z2 of step k
   from elements 2k, 2k + 1 of the stream (seed, subsequence p) of hd_random_fill_normal; with Sobol
   from dimensions 2k, 2k + 1 of point p, scrambled by (seed, 0), through the normal distribution's
   inverse. `antithetic`: a path and its mirror image with -z together are one sample. */
typedef struct hd_montecarlo_model {
    hd_payoff payoff;
    hd_normals normals;
    int antithetic;
    unsigned steps;
    double spot, strike, rate, volatility, correlation, years;
    uint64_t seed;
} hd_montecarlo_model;

/* Digital, fused, not antithetic, 100 steps; spot, strike and years 1, rate 0.05, volatility 0.1,
   correlation 0.5, seed 1. */
hd_montecarlo_model hd_montecarlo_default(void);

/* Sums over paths of the payoff, not discounted, and of its square. */
typedef struct hd_montecarlo_sums {
    double sum, squares;
} hd_montecarlo_sums;

/* Runs `paths` paths, numbers first to first + paths - 1, and writes their sums to `out` (memory
   that the stream's device can use, 16-byte aligned). Asynchronous; two launches (normals from
   memory: two more per batch of 256 MiB of them; Sobol: one more). Workspace: 16 bytes per tile of
   256 to 65536 paths, the batch, or 33 KB of direction numbers; NULL takes scratch that the stream
   keeps.

   Bits depend on the model, first and paths alone: a tile's paths are a function of `paths`, a
   thread adds its paths in order in f64, then ascending strides over threads, then tiles in columns
   of 256 (docs/montecarlo.md). paths = 0 gives zeros.
   HD_ERR_ARGUMENT (a number out of range: steps 1 to 65536, Sobol 128; volatility and years
   positive, correlation -1 to 1, all finite), HD_ERR_OVERFLOW (first + paths passes 2^40, Sobol
   2^32), HD_ERR_POINTER, HD_ERR_WORKSPACE. */
hd_status hd_montecarlo(const hd_montecarlo_model *model, uint64_t first, uint64_t paths,
                        hd_montecarlo_sums *out, hd_workspace *workspace, hd_stream *stream);
hd_status hd_montecarlo_workspace(const hd_montecarlo_model *model, uint64_t paths, size_t *bytes);

/* What sums say: discounted mean, its standard error (of independent paths; for Sobol take several
   seeds), the interval that holds the value 95 times of 100, and the Black-Scholes price of the
   European call (NaN for others). Host alone. */
typedef struct hd_montecarlo_estimate {
    double value, error, low, high, exact;
} hd_montecarlo_estimate;
hd_status hd_montecarlo_estimate_of(const hd_montecarlo_model *model, uint64_t paths,
                                    const hd_montecarlo_sums *sums,
                                    hd_montecarlo_estimate *estimate);

#ifdef __cplusplus
}
#endif
#endif
