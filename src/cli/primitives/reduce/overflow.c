/* SPDX-License-Identifier: Apache-2.0 */
/* overflow.c - detects integer results that do not fit in 64 bits. Sums of 64-bit integers have 128
   bits and need no check; sums of narrower ones can only overflow with more than 2^32 elements. */
#include <string.h>

#include "job.h"

/* The magnitude of an integer element, and its sign. */
static uint64_t magnitude(hd_type type, const unsigned char *at, bool *negative)
{
    size_t bytes = hd_type_bytes(type);
    bool is_signed = type == HD_I8 || type == HD_I16 || type == HD_I32 || type == HD_I64;
    uint64_t bits = 0;

    memcpy(&bits, at, bytes); /* little-endian, like all supported devices */
    *negative = is_signed && bits >> (8 * bytes - 1);
    if (*negative && bytes < 8)
        bits |= UINT64_MAX << 8 * bytes;
    return *negative ? 0 - bits : bits;
}

static bool is_integer(hd_type type)
{
    return type != HD_F16 && type != HD_F32 && type != HD_F64;
}

void reduce_follow_product(reduce_job *job, const void *elements, size_t count)
{
    reduce_product *product = &job->product;
    const unsigned char *at = elements;
    size_t bytes = hd_type_bytes(job->type);

    if (!is_integer(job->type))
        return;
    for (size_t i = 0; i < count; i++, at += bytes) {
        bool negative;
        uint64_t factor = magnitude(job->type, at, &negative);

        product->zero |= factor == 0;
        product->negative ^= negative;
        product->overflow |= __builtin_mul_overflow(product->magnitude, factor,
                                                    &product->magnitude);
        /* Without zeros the magnitude never decreases, so an overflow persists; a zero makes the
           product 0. */
        if (product->zero)
            return;
        if (product->overflow)
            product->magnitude = 1;
    }
}

static int check_product(reduce_job *job)
{
    const reduce_product *product = &job->product;
    hd_result result;
    size_t bytes;
    uint64_t most;

    if (hd_reduce_result(job->type, HD_PROD, &result, &bytes) < 0)
        return reduce_failed_call(job);
    most = result == HD_RESULT_I64 ? (uint64_t)INT64_MAX + product->negative : UINT64_MAX;
    if (!product->zero && (product->overflow || product->magnitude > most)) {
        job->unfit |= 1u << QUANTITY_PROD;
        reduce_failed(job, "%s: the product does not fit 64 bits", job->path);
    }
    return 0;
}

/* Whether a sum of n elements between the minimum and the maximum can exceed 64 bits. */
static void check_sum(reduce_job *job)
{
    unsigned __int128 widest, limit;

    if (job->type == HD_U32) {
        widest = job->results[HD_MAX].u64;
        limit = UINT64_MAX;
    } else {
        int64_t low = job->results[HD_MIN].i64, high = job->results[HD_MAX].i64;

        widest = (uint64_t)(-low > high ? -low : high);
        limit = INT64_MAX;
    }
    if (widest * job->n <= limit)
        return;
    job->unfit |= job->quantities & (1u << QUANTITY_SUM | 1u << QUANTITY_MEAN);
    reduce_failed(job, "%s: the sum of %zu numbers this large may not fit 64 bits", job->path,
                  job->n);
}

int reduce_check_overflow(reduce_job *job)
{
    if (job->ops & 1u << HD_PROD && is_integer(job->type) && check_product(job) < 0)
        return -1;
    if (job->ops & 1u << HD_SUM && (job->type == HD_U32 || job->type == HD_I32) && job->n >> 32)
        check_sum(job);
    return 0;
}
