/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c - sums, minima, maxima and scans over the threads of a warp or block, in the order that
   docs/dialect.md specifies: reductions as a tree with ascending strides, scans as Hillis-Steele
   with ascending strides. Values of returned threads are skipped, not added as 0. */
#include "block/block.h"

#include <heddle/device/minmax.h>
#include <string.h>

/* Flags for which of the n values are present; bits NULL: all are. */
static const unsigned char *presence(const uint64_t *bits, unsigned n, unsigned char *has)
{
    int all = 1;

    for (unsigned i = 0; i < n; i += 64) {
        unsigned rest = n - i;
        uint64_t wanted = rest >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << rest) - 1;
        all &= (bits[i / 64] & wanted) == wanted;
    }
    if (all)
        return NULL;
    for (unsigned i = 0; i < n; i++)
        has[i] = bits[i / 64] >> (i % 64) & 1;
    return has;
}

#define FOLD_T float
#define FOLD_U float
#define FOLD_S f32
#include "fold.inc"
#define FOLD_T double
#define FOLD_U double
#define FOLD_S f64
#include "fold.inc"
#define FOLD_T int32_t
#define FOLD_U uint32_t
#define FOLD_S i32
#include "fold.inc"
#define FOLD_T uint32_t
#define FOLD_U uint32_t
#define FOLD_S u32
#include "fold.inc"
#define FOLD_T int64_t
#define FOLD_U uint64_t
#define FOLD_S i64
#include "fold.inc"
#define FOLD_T uint64_t
#define FOLD_U uint64_t
#define FOLD_S u64
#include "fold.inc"

void hd_cpu_fold(unsigned kind, const uint64_t *value, const uint64_t *present, unsigned n,
                 unsigned width, uint64_t *out)
{
    typedef void fold_call(unsigned operation, const uint64_t *value, const unsigned char *has,
                           unsigned n, unsigned width, uint64_t *out);
    static fold_call *const call[] = {fold_f32, fold_f64, fold_i32, fold_u32, fold_i64, fold_u64};
    unsigned char has[HD_CPU_MAX_THREADS];

    call[kind >> 4 & 7](kind & 15, value, presence(present, n, has), n, width, out);
}
