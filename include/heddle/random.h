/* SPDX-License-Identifier: Apache-2.0 */
/* random.h - arrays of random numbers in device memory, with the same bits on every backend. */
#ifndef HEDDLE_RANDOM_H
#define HEDDLE_RANDOM_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, text, what): Philox for all work; the others for comparison. */
#define HD_RANDOM_LIST(X)                                                                          \
    X(HD_PHILOX, "philox", "Philox 4x32-10: counter-based, any offset at no cost (default)")       \
    X(HD_MRG32K3A, "mrg32k3a", "combined multiple recursive generator, skips by matrices")         \
    X(HD_XORWOW, "xorwow", "xorshift with a Weyl sequence; skips step by step")                    \
    X(HD_MT19937, "mt19937", "Mersenne Twister, one state per block; skips step by step")

typedef enum hd_random_generator {
#define HD_RANDOM_ENUM_(name, text, what) name,
    HD_RANDOM_LIST(HD_RANDOM_ENUM_)
#undef HD_RANDOM_ENUM_
        HD_RANDOM_COUNT_
} hd_random_generator;

const char *hd_random_name(hd_random_generator generator);

/* Which numbers: a stream, named by seed and subsequence, and the element of it that comes first.
   Zero the struct for stream 0 of Philox from its beginning. */
typedef struct hd_random {
    hd_random_generator generator;
    uint64_t seed, subsequence;
    uint64_t offset; /* in elements of the call's type */
} hd_random;

/* Each call below writes n elements to `out` (memory that the stream's device can use, aligned to
   its type; a multiple of 16 bytes is fastest). Element i of a stream and a distribution is a
   function of the generator, the seed, the subsequence and i alone: chunks join (the second with
   `offset` further by the first one's n), and grid, device, warp size and backend change no bit.
   Which words of the generator an element is made of: heddle/random_kernel.h, whose functions give
   the same elements inside a kernel; for the other generators docs/random.md. Asynchronous, in
   order on `stream`, one launch per 2^31 blocks of 16 bytes; no workspace; may be
   captured. Memory is written once: n * size bytes.

   MRG32k3a skips to any offset in 64 steps; XORWOW and MT19937 walk there: 1/65536 and 1/638976 of
   the offset in steps of every thread or block.

   HD_ERR_ARGUMENT (out or stream NULL, out unaligned, a type that the distribution does not have,
   parameters not finite or out of range), HD_ERR_OVERFLOW (offset + n passes 2^64, of Poisson 2^48,
   or more bytes than addresses), HD_ERR_POINTER (memory of another device without peer access,
   pageable host memory, beyond the end of the allocation). */

/* Random bits: HD_U32, HD_U64. */
hd_status hd_random_fill_bits(void *out, size_t n, hd_type type, const hd_random *from,
                              hd_stream *stream);
/* Uniform in [0, 1): multiples of 2^-24 (HD_F32), of 2^-53 (HD_F64). */
hd_status hd_random_fill_uniform(void *out, size_t n, hd_type type, const hd_random *from,
                                 hd_stream *stream);
/* mean + deviation * z with z standard normal: HD_F32, HD_F64 (Box-Muller). */
hd_status hd_random_fill_normal(void *out, size_t n, hd_type type, double mean, double deviation,
                                const hd_random *from, hd_stream *stream);
/* exp of that: mean and deviation are those of the logarithm. */
hd_status hd_random_fill_lognormal(void *out, size_t n, hd_type type, double mean, double deviation,
                                   const hd_random *from, hd_stream *stream);
/* Poisson counts, 0 <= mean <= 2^30; Philox alone (others: HD_ERR_UNSUPPORTED). In kernels:
   heddle/random_poisson.h; means to about 600 by exact tables, greater ones by rejection. */
hd_status hd_random_fill_poisson(uint32_t *out, size_t n, double mean, const hd_random *from,
                                 hd_stream *stream);

/* Points of the Sobol sequence: coordinate d of point offset + i goes to out[d * n + i], HD_F32 or
   HD_F64, in [0, 1). Dimensions 1 to HD_SOBOL_DIMENSIONS, points below 2^32. Direction numbers:
   S. Joe, F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM
   J. Sci. Comput. 30, 2008 (their D(6) set); order of points: I. A. Antonov, V. M. Saleev, 1979.
   HD_SOBOL_SCRAMBLED: a random linear scramble and a random shift (J. Matousek, "On the L2-
   discrepancy for anchored boxes", 1998), a function of seed and subsequence, so that every
   coordinate is uniform and the points stay as even; the generator plays no part. Two launches; the
   workspace (hd_random_sobol_workspace; NULL: the stream's scratch) takes the direction numbers. */
enum { HD_SOBOL_DIMENSIONS = 256 };
typedef enum hd_sobol_kind { HD_SOBOL_PLAIN, HD_SOBOL_SCRAMBLED } hd_sobol_kind;
hd_status hd_random_sobol_workspace(unsigned dimensions, size_t *bytes);
hd_status hd_random_fill_sobol(void *out, size_t n, unsigned dimensions, hd_type type,
                               hd_sobol_kind kind, const hd_random *from, hd_workspace *workspace,
                               hd_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
