/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Arrays of random numbers in device memory, with the same bits on every backend.
 */
#ifndef HEDDLE_RANDOM_H
#define HEDDLE_RANDOM_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup random Random numbers
 *  @brief Pseudo-random and quasi-random numbers; docs/random.md.
 *
 *  Element i of a stream of random numbers and a distribution is a function of the generator, the
 *  seed, the subsequence and i only: chunks join seamlessly (the offset of the second is that of
 *  the first plus its n), and grid, device, warp size and backend change no bit. Which words of the
 *  generator make an element: device/random_kernel.h, whose functions give the same elements inside
 *  a kernel; for the other generators docs/random.md.
 *
 *  All fills are asynchronous, one launch per 2^31 blocks of 16 bytes, need no workspace (except
 *  Sobol) and may be captured. Memory is written once: n * size bytes. MRG32k3a skips to any offset
 *  in 64 steps; each thread of XORWOW walks 1/65536 of the offset, each block of MT19937 1/638976.
 *  @{
 */

/** X(name, text, what): the generators. Philox for all work; the others for comparison. */
#define HD_RANDOM_LIST(X)                                                                          \
    /** Philox 4x32-10: counter-based, any offset at no cost. */                                   \
    X(HD_PHILOX, "philox", "Philox 4x32-10: counter-based, any offset at no cost (default)")       \
    /** Combined multiple recursive generator; skips by matrices. */                               \
    X(HD_MRG32K3A, "mrg32k3a", "combined multiple recursive generator, skips by matrices")         \
    /** Xorshift with a Weyl sequence; skips step by step. */                                      \
    X(HD_XORWOW, "xorwow", "xorshift with a Weyl sequence; skips step by step")                    \
    /** Mersenne Twister, one state per block; skips step by step. */                              \
    X(HD_MT19937, "mt19937", "Mersenne Twister, one state per block; skips step by step")

/** Generator; the values are those of #HD_RANDOM_LIST. */
typedef enum hd_random_generator {
#define HD_RANDOM_ENUM_(name, text, what) name,
    HD_RANDOM_LIST(HD_RANDOM_ENUM_)
#undef HD_RANDOM_ENUM_
        HD_RANDOM_COUNT_
} hd_random_generator;

/** Returns the name of a generator.
 *
 *  @param generator  The generator.
 *  @return Static text such as "philox"; "unknown generator" for other values.
 */
const char *hd_random_name(hd_random_generator generator);

/** Which numbers: a stream of random numbers, named by seed and subsequence, and its first element.
 *  Zero the struct for stream 0 of Philox from its beginning. */
typedef struct hd_random {
    hd_random_generator generator; /**< Generator. */
    uint64_t seed,                 /**< Seed. */
        subsequence;               /**< Number of the stream of that seed. */
    uint64_t offset;               /**< First element, in elements of the call's type. */
} hd_random;

/** Fills an array with random bits.
 *
 *  @param out     Receives n elements, in @ref usable_memory "memory that the stream's device can
 *                 use".
 *  @param n       Number of elements.
 *  @param type    #HD_U32 or #HD_U64.
 *  @param from    Which numbers; read before the call returns.
 *  @param stream  Stream.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for another type;
 *          HD_ERR_OVERFLOW also if offset + n exceeds 2^64.
 */
hd_status hd_random_fill_bits(void *out, size_t n, hd_type type, const hd_random *from,
                              hd_stream *stream);

/** Fills an array with numbers that are uniform in [0, 1).
 *
 *  @param out     Receives n elements.
 *  @param n       Number of elements.
 *  @param type    #HD_F32 (multiples of 2^-24) or #HD_F64 (multiples of 2^-53).
 *  @param from    Which numbers; read before the call returns.
 *  @param stream  Stream.
 *  @return As hd_random_fill_bits().
 */
hd_status hd_random_fill_uniform(void *out, size_t n, hd_type type, const hd_random *from,
                                 hd_stream *stream);

/** Fills an array with normal numbers: mean + deviation * z, z standard normal by Box-Muller.
 *
 *  @param out        Receives n elements.
 *  @param n          Number of elements.
 *  @param type       #HD_F32 or #HD_F64.
 *  @param mean       Mean, finite.
 *  @param deviation  Standard deviation, finite, 0 or more.
 *  @param from       Which numbers; read before the call returns.
 *  @param stream     Stream.
 *  @return As hd_random_fill_bits(); HD_ERR_ARGUMENT also for parameters out of range.
 */
hd_status hd_random_fill_normal(void *out, size_t n, hd_type type, double mean, double deviation,
                                const hd_random *from, hd_stream *stream);

/** Fills an array with log-normal numbers: exp(mean + deviation * z).
 *
 *  @param out        Receives n elements.
 *  @param n          Number of elements.
 *  @param type       #HD_F32 or #HD_F64.
 *  @param mean       Mean of the logarithm.
 *  @param deviation  Standard deviation of the logarithm, 0 or more.
 *  @param from       Which numbers; read before the call returns.
 *  @param stream     Stream.
 *  @return As hd_random_fill_normal().
 */
hd_status hd_random_fill_lognormal(void *out, size_t n, hd_type type, double mean, double deviation,
                                   const hd_random *from, hd_stream *stream);

/** Fills an array with Poisson counts: means up to about 600 by exact tables, greater ones by
 *  rejection. In kernels: device/random_poisson.h.
 *
 *  @param out     Receives n counts.
 *  @param n       Number of elements.
 *  @param mean    Mean, 0 to 2^30.
 *  @param from    Which numbers, of #HD_PHILOX; read before the call returns.
 *  @param stream  Stream.
 *  @return As hd_random_fill_bits(); HD_ERR_ARGUMENT also for a mean out of range;
 *          HD_ERR_UNSUPPORTED for another generator; HD_ERR_OVERFLOW if offset + n exceeds 2^48.
 */
hd_status hd_random_fill_poisson(uint32_t *out, size_t n, double mean, const hd_random *from,
                                 hd_stream *stream);

/** Limits of Sobol sequences. */
enum {
    HD_SOBOL_DIMENSIONS = 256 /**< Maximum number of dimensions. */
};

/** Kind of a Sobol sequence. */
typedef enum hd_sobol_kind {
    HD_SOBOL_PLAIN,    /**< The sequence itself. */
    HD_SOBOL_SCRAMBLED /**< With a random linear scramble and a random shift, a function of seed and
                            subsequence: every coordinate is uniform, and points stay as even. */
} hd_sobol_kind;

/** Returns the workspace that hd_random_fill_sobol() needs for its direction numbers.
 *
 *  @param dimensions  1 to #HD_SOBOL_DIMENSIONS.
 *  @param bytes       Receives the size in bytes.
 *  @return HD_OK or HD_ERR_ARGUMENT.
 */
hd_status hd_random_sobol_workspace(unsigned dimensions, size_t *bytes);

/** Writes points of the Sobol sequence: coordinate d of point offset + i to out[d * n + i]. Two
 *  launches.
 *
 *  Source: direction numbers of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better
 *  two-dimensional projections", SIAM J. Sci. Comput. 30, 2008 (their D(6) set); order of points:
 *  I. A. Antonov and V. M. Saleev, 1979; scrambling: J. Matousek, "On the L2-discrepancy for
 *  anchored boxes", 1998.
 *
 *  @param out         Receives dimensions * n elements in [0, 1).
 *  @param n           Number of points.
 *  @param dimensions  1 to #HD_SOBOL_DIMENSIONS.
 *  @param type        #HD_F32 or #HD_F64.
 *  @param kind        Plain or scrambled.
 *  @param from        offset is the first point; seed and subsequence select the scrambling; the
 *                     generator is not used.
 *  @param workspace   hd_random_sobol_workspace() bytes, or NULL (@ref workspaces).
 *  @param stream      Stream.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for another type or number
 *          of dimensions; HD_ERR_OVERFLOW also if offset + n exceeds 2^32.
 */
hd_status hd_random_fill_sobol(void *out, size_t n, unsigned dimensions, hd_type type,
                               hd_sobol_kind kind, const hd_random *from, hd_workspace *workspace,
                               hd_stream *stream);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
