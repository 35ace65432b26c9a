/* SPDX-License-Identifier: Apache-2.0 */
/* generate.h - generated input: element i of a pattern is a function of seed, count and i, the same
   on the host and on every device. For hosts and kernels, C11 and C++17. */
#ifndef HEDDLE_CLI_INPUT_GENERATE_H
#define HEDDLE_CLI_INPUT_GENERATE_H

#include <heddle/device/bits.h>
#include <heddle/device/half.h>

/* X(name, text): what the elements are.
   uniform      integers over the type's whole range, floats from 0 to 1 (1 excluded)
   constant     1
   sorted       0, 1, 2, ... or, if the type has fewer values than that, each equally often
   reverse      the same from the end
   zipf         0 to 65535 (u8 to 255, f16 to 2047, i8, i16 to their largest): k about as often as
                1 / (k + 1)
   alternating  floats: from 1 to 2 and from -2 to -1 in turn; signed: 0 or above and 0 or below in
                turn; unsigned: near 0 and near the largest in turn */
#define GENERATE_LIST(X)                                                                           \
    X(GENERATE_UNIFORM, "uniform")                                                                 \
    X(GENERATE_CONSTANT, "constant")                                                               \
    X(GENERATE_SORTED, "sorted")                                                                   \
    X(GENERATE_REVERSE, "reverse")                                                                 \
    X(GENERATE_ZIPF, "zipf")                                                                       \
    X(GENERATE_ALTERNATING, "alternating")

enum {
#define GENERATE_ENUM_(name, text) name,
    GENERATE_LIST(GENERATE_ENUM_)
#undef GENERATE_ENUM_
        GENERATE_COUNT
};

/* How random bits are converted to an element. */
enum { GENERATE_UNSIGNED, GENERATE_SIGNED, GENERATE_FLOAT };

/* 64 hashed bits: the finaliser of splitmix64 (Steele, Lea, Flood 2014) at position i of the stream
   of the seed. */
HD_BOTH uint64_t generate_hash(uint64_t seed, uint64_t i)
{
    uint64_t z = seed * 0xd1342543de82ef95u + (i + 1) * 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* i of n, shifted right so that it is below 2^bits. */
HD_BOTH uint64_t generate_rank(uint64_t i, uint64_t n, unsigned bits)
{
    unsigned width = n > 1 ? 64u - hd_clz_u64(n - 1) : 0u;

    return width > bits ? i >> (width - bits) : i;
}

/* 0 to 2^bits - 1, with a density that falls like 1 / (k + 1) from octave to octave. */
HD_BOTH uint64_t generate_zipf(uint64_t hash, unsigned bits)
{
    unsigned octave = (unsigned)((hash >> 32) * bits >> 32);

    return (((uint64_t)1 << octave) | (hash & (((uint64_t)1 << octave) - 1u))) - 1u;
}

/* An integer with `bits` value bits (7 for i8), sign-extended if `is_signed`. */
HD_BOTH uint64_t generate_integer(int pattern, unsigned bits, int is_signed, uint64_t n,
                                  uint64_t seed, uint64_t i)
{
    uint64_t hash = generate_hash(seed, i);
    uint64_t largest = bits < 64u ? ((uint64_t)1 << bits) - 1u : ~(uint64_t)0;

    if (pattern == GENERATE_CONSTANT)
        return 1;
    if (pattern == GENERATE_SORTED)
        return generate_rank(i, n, bits);
    if (pattern == GENERATE_REVERSE)
        return generate_rank(n - 1u - i, n, bits);
    if (pattern == GENERATE_ZIPF)
        return generate_zipf(hash, bits < 16u ? bits : 16u);
    if (pattern == GENERATE_ALTERNATING && is_signed)
        return i & 1u ? (uint64_t)0 - (hash & largest) : hash & largest;
    if (pattern == GENERATE_ALTERNATING)
        return i & 1u ? largest - (hash & 15u) : hash & 15u;
    return hash;
}

/* A float of `bits` significant bits, exact in f64. */
HD_BOTH double generate_real(int pattern, unsigned bits, uint64_t n, uint64_t seed, uint64_t i)
{
    uint64_t hash = generate_hash(seed, i);
    double unit = (double)(hash >> (64u - bits)) / (double)((uint64_t)1 << bits);

    if (pattern == GENERATE_CONSTANT)
        return 1.0;
    if (pattern == GENERATE_SORTED)
        return (double)generate_rank(i, n, bits);
    if (pattern == GENERATE_REVERSE)
        return (double)generate_rank(n - 1u - i, n, bits);
    if (pattern == GENERATE_ZIPF)
        return (double)generate_zipf(hash, bits < 16u ? bits : 16u);
    if (pattern == GENERATE_ALTERNATING) {
        unit = (double)(hash >> (65u - bits)) / (double)((uint64_t)1 << (bits - 1u));
        return i & 1u ? -1.0 - unit : 1.0 + unit;
    }
    return unit;
}

/* The bits of element i, in the low `size` bytes. */
HD_BOTH uint64_t generate_element(int kind, unsigned size, int pattern, uint64_t n, uint64_t seed,
                                  uint64_t i)
{
    if (kind != GENERATE_FLOAT)
        return generate_integer(pattern, 8u * size - (kind == GENERATE_SIGNED), kind, n, seed, i);
    if (size == 8)
        return hd_f64_bits(generate_real(pattern, 53, n, seed, i));
    if (size == 4)
        return hd_f32_bits((float)generate_real(pattern, 24, n, seed, i));
    return hd_f16_bits(hd_f16_from_f32((float)generate_real(pattern, 11, n, seed, i)));
}

#endif
