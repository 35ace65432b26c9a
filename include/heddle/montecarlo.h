/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Prices of options on two correlated assets by simulated paths, with the same bits on every
 *  backend.
 */
#ifndef HEDDLE_MONTECARLO_H
#define HEDDLE_MONTECARLO_H

#include <heddle/random.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup montecarlo Monte Carlo
 *  @brief Option prices from simulated paths; docs/montecarlo.md.
 *  @{
 */

/** X(name, text, what): the payoffs of a path at its end, later discounted by exp(-rate * years).
 *  */
#define HD_PAYOFF_LIST(X)                                                                          \
    /** 1 if both assets end within 10 % of the start. */                                          \
    X(HD_DIGITAL, "digital", "1 where both assets end within 10 % of the start")                   \
    /** Excess of the first asset's mean over the steps above the strike. */                       \
    X(HD_ASIAN_CALL, "asian", "what the first asset's mean over the steps exceeds the strike by")  \
    /** Excess of the first asset's final price above the strike. */                               \
    X(HD_EUROPEAN_CALL, "european", "what the first asset's end exceeds the strike by")

/** Payoff; the values are those of #HD_PAYOFF_LIST. */
typedef enum hd_payoff {
#define HD_PAYOFF_ENUM_(name, text, what) name,
    HD_PAYOFF_LIST(HD_PAYOFF_ENUM_)
#undef HD_PAYOFF_ENUM_
        HD_PAYOFF_COUNT_
} hd_payoff;

/** X(name, text, what): where the normal numbers come from. The first three give the same bits. */
#define HD_NORMALS_LIST(X)                                                                         \
    /** Generated in the kernel that uses them. */                                                 \
    X(HD_NORMALS_FUSED, "fused", "made in the kernel that uses them (default)")                    \
    /** Read from memory, with neighbouring paths side by side. */                                 \
    X(HD_NORMALS_COALESCED, "coalesced", "read from memory, neighbouring paths side by side")      \
    /** Read from memory, path after path. */                                                      \
    X(HD_NORMALS_STRIDED, "strided", "read from memory, path after path")                          \
    /** Scrambled Sobol points; at most 128 steps. */                                              \
    X(HD_NORMALS_SOBOL, "sobol", "scrambled Sobol points, at most 128 steps")

/** Source of the normal numbers; the values are those of #HD_NORMALS_LIST. */
typedef enum hd_normals {
#define HD_NORMALS_ENUM_(name, text, what) name,
    HD_NORMALS_LIST(HD_NORMALS_ENUM_)
#undef HD_NORMALS_ENUM_
        HD_NORMALS_COUNT_
} hd_normals;

/** Returns the name of a payoff.
 *
 *  @param payoff  The payoff.
 *  @return Static text such as "digital"; "unknown payoff" for other values.
 */
const char *hd_payoff_name(hd_payoff payoff);

/** Returns the name of a source of normal numbers.
 *
 *  @param normals  The source.
 *  @return Static text such as "fused"; "unknown normals" for other values.
 */
const char *hd_normals_name(hd_normals normals);

/** Model of two assets that start at spot and take equal steps of dt = years / steps.
 *
 *  A step is s = s * (1 + rate * dt + volatility * sqrt(dt) * z), in f32, with standard normal z;
 *  that of the second asset is correlation * z1 + sqrt(1 - correlation^2) * z2. Path p takes z1 and
 *  z2 of step k from elements 2k and 2k + 1 of the stream (seed, subsequence p) of
 *  hd_random_fill_normal(); with Sobol from dimensions 2k and 2k + 1 of point p, scrambled by
 *  (seed, 0), through the inverse of the normal distribution.
 */
typedef struct hd_montecarlo_model {
    hd_payoff payoff;   /**< Payoff. */
    hd_normals normals; /**< Source of the normal numbers. */
    int antithetic;     /**< Not 0: a path and its mirror image with -z together are one sample. */
    unsigned steps;     /**< Steps per path: 1 to 65536; with Sobol 1 to 128. */
    double spot,        /**< Initial price of both assets. */
        strike,         /**< Strike price. */
        rate,           /**< Interest rate per year. */
        volatility,     /**< Volatility per square root of a year; above 0. */
        correlation,    /**< Correlation of the assets: -1 to 1. */
        years;          /**< Time to expiry in years; above 0. */
    uint64_t seed;      /**< Seed. */
} hd_montecarlo_model;

/** Returns the default model.
 *
 *  @return Digital, fused, not antithetic, 100 steps; spot, strike and years 1, rate 0.05,
 *          volatility 0.1, correlation 0.5, seed 1.
 */
hd_montecarlo_model hd_montecarlo_default(void);

/** Result of hd_montecarlo(). */
typedef struct hd_montecarlo_sums {
    double sum,  /**< Sum of the payoffs, not discounted. */
        squares; /**< Sum of their squares. */
} hd_montecarlo_sums;

/** Simulates paths and sums their payoffs. Asynchronous.
 *
 *  Two launches; with normals from memory two more per batch of 256 MiB of them, with Sobol one
 *  more. Scratch: 16 bytes per tile of 256 to 65536 paths, and the batch or 33 KB of direction
 *  numbers.
 *
 *  Bits depend on the model, first and paths only: the paths of a tile are a function of paths; a
 *  thread adds its paths in order in f64, then threads are combined with ascending strides, then
 *  tiles in columns of 256 (docs/montecarlo.md).
 *
 *  @param model      The model; read before the call returns.
 *  @param first      Number of the first path.
 *  @param paths      Number of paths; 0 gives zeros.
 *  @param out        Receives the sums, in memory that the stream's device can use, 16-byte
 *                    aligned.
 *  @param workspace  hd_montecarlo_workspace() bytes, or NULL (@ref workspaces).
 *  @param stream     Stream.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for a number of the model
 *          that is out of range or not finite; HD_ERR_OVERFLOW if first + paths exceeds 2^40, with
 *          Sobol 2^32.
 */
hd_status hd_montecarlo(const hd_montecarlo_model *model, uint64_t first, uint64_t paths,
                        hd_montecarlo_sums *out, hd_workspace *workspace, hd_stream *stream);

/** Returns the workspace that hd_montecarlo() needs.
 *
 *  @param model  The model.
 *  @param paths  Number of paths.
 *  @param bytes  Receives the size in bytes.
 *  @return HD_OK or an error that hd_montecarlo() returns for the model and number of paths.
 */
hd_status hd_montecarlo_workspace(const hd_montecarlo_model *model, uint64_t paths, size_t *bytes);

/** Price of an option, estimated from sums of paths. */
typedef struct hd_montecarlo_estimate {
    double value, /**< Discounted mean. */
        error,    /**< Its standard error, for independent paths; for Sobol use several seeds. */
        low,      /**< Lower bound of the 95 % confidence interval. */
        high,     /**< Upper bound of the 95 % confidence interval. */
        exact;    /**< Black-Scholes price of the European call; NaN for other payoffs. */
} hd_montecarlo_estimate;

/** Computes an estimate from sums, on the host.
 *
 *  @param model     The model.
 *  @param paths     Number of paths that were summed, at least 2.
 *  @param sums      The sums, in host memory.
 *  @param estimate  Receives the estimate.
 *  @return HD_OK or HD_ERR_ARGUMENT.
 */
hd_status hd_montecarlo_estimate_of(const hd_montecarlo_model *model, uint64_t paths,
                                    const hd_montecarlo_sums *sums,
                                    hd_montecarlo_estimate *estimate);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
