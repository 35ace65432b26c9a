/* SPDX-License-Identifier: Apache-2.0 */
/* test_mean.c - the mean of integers, compared with long division, bit by bit, rounded half to even
   by its remainder; and with known quotients. */
#include "test.h"

#include <math.h>

#include "cli/primitives/reduce/mean.h"

__extension__ typedef unsigned __int128 natural;
__extension__ typedef __int128 whole;

static hd_i128 parts_of(whole value)
{
    hd_i128 parts;

    parts.low = (uint64_t)value;
    parts.high = (int64_t)(value >> 64);
    return parts;
}

/* The next bit of a quotient; `rest` is the remainder. */
static unsigned next_bit(natural magnitude, int exponent, uint64_t count, natural *rest)
{
    *rest = *rest << 1 | (exponent >= 0 ? magnitude >> exponent & 1 : 0);
    if (*rest < count)
        return 0;
    *rest -= count;
    return 1;
}

/* 53 bits of the quotient from its first one on; the next bit and the remainder decide the
   rounding. */
static double divided(whole sum, uint64_t count)
{
    const natural magnitude = sum < 0 ? 0 - (natural)sum : (natural)sum;
    natural rest = 0, below = 0;
    uint64_t bits = 0;
    int exponent = 127;

    if (sum == 0)
        return 0;
    for (; bits >> 52 == 0; exponent--)
        bits = bits << 1 | next_bit(magnitude, exponent, count, &rest);
    const unsigned half = next_bit(magnitude, exponent, count, &rest);
    for (int i = exponent - 1; i >= 0; i--)
        below |= next_bit(magnitude, i, count, &rest);
    bits += half && (below || rest || bits & 1);
    const double result = ldexp((double)bits, exponent + 1);
    return sum < 0 ? -result : result;
}

static void check(whole sum, uint64_t count)
{
    if (!CHECK_EQ_F64_BITS(cli_mean(parts_of(sum), count), divided(sum, count)))
        NOTE("sum %" PRId64 " * 2^64 + %" PRIu64 ", count %" PRIu64, (int64_t)(sum >> 64),
             (uint64_t)sum, count);
}

TEST(known_means)
{
    CHECK_EQ_F64_BITS(cli_mean(parts_of(7), 2), 3.5);
    CHECK_EQ_F64_BITS(cli_mean(parts_of(-7), 2), -3.5);
    CHECK_EQ_F64_BITS(cli_mean(parts_of(0), 5), 0.0);
    CHECK_EQ_F64_BITS(cli_mean(parts_of(1), 3), 1.0 / 3);
    CHECK_EQ_F64_BITS(cli_mean(parts_of(-((whole)1 << 126)), 1), -0x1p126);
    /* 2^53 + 1 and 2^53 + 3 are midpoints between two doubles */
    CHECK_EQ_F64_BITS(cli_mean(parts_of((whole)9007199254740993), 1), 0x1p53);
    CHECK_EQ_F64_BITS(cli_mean(parts_of((whole)9007199254740995), 1), 0x1p53 + 4);
    CHECK_EQ_F64_BITS(cli_mean(parts_of((whole)-9007199254740995), 1), -0x1p53 - 4);
    CHECK_EQ_F64_BITS(cli_mean(parts_of((whole)3 * 9007199254740993), 3), 0x1p53);
    /* a third above the midpoint */
    CHECK_EQ_F64_BITS(cli_mean(parts_of((whole)3 * 9007199254740993 + 1), 3), 0x1p53 + 2);
    CHECK_EQ_F64_BITS(cli_mean(parts_of((whole)UINT64_MAX * 5), 5), 0x1p64);
}

TEST(random_means)
{
    uint64_t state = 1;

    for (int i = 0; i < 100000; i++) {
        uint64_t word[3];
        for (int k = 0; k < 3; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            word[k] = state ^ state >> 29;
        }
        const whole sum = (whole)((natural)word[0] << 64 | word[1]) >> (1 + i % 126);
        const uint64_t count = (word[2] >> (word[2] & 63)) + 1;
        check(sum, count ? count : 1);
    }
}

/* Quotients at the midpoint of two doubles, and next to it. */
TEST(ties)
{
    uint64_t state = 7;

    for (int i = 0; i < 20000; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const uint64_t odd = state >> 10 | 1 | (uint64_t)1 << 53; /* 54 bits: one too many */
        const uint64_t count = (state * 0x9e3779b97f4a7c15u >> (24 + i % 40)) + 1;
        for (whole off = -1; off <= 1; off++) {
            check((whole)odd * (whole)count + off, count);
            check(-((whole)odd * (whole)count) + off, count);
            check(((whole)odd * (whole)count << 10) + off, count);
        }
    }
}

TEST_MAIN
