/* SPDX-License-Identifier: Apache-2.0 */
/* mean.c - the mean of integers, rounded once. */
#include "mean.h"

#include <math.h>

__extension__ typedef unsigned __int128 natural;

/* Number of leading zero bits; value > 0. */
static int leading_zeros(natural value)
{
    const uint64_t high = (uint64_t)(value >> 64);

    return high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)value);
}

/* The sum is shifted left within 128 bits, so that the quotient has at least 64 bits: its last bit
   can then stand for the remainder, and only the conversion rounds. */
double cli_mean(hd_i128 sum, uint64_t count)
{
    const natural bits = (natural)(uint64_t)sum.high << 64 | sum.low;
    const natural magnitude = sum.high < 0 ? 0 - bits : bits;
    const int up = magnitude ? leading_zeros(magnitude) : 0;
    const natural moved = magnitude << up;
    const natural quotient = moved / count | (moved % count != 0);
    const double mean = ldexp((double)quotient, -up);

    return sum.high < 0 ? -mean : mean;
}
