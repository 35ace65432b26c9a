/* SPDX-License-Identifier: Apache-2.0 */
/* constants.c - a table of words in three places. Each address depends on the word read before, so
   that no read can be removed or merged. Launch: blocks of CONSTANTS_BLOCK threads; no shared
   memory. */
#include <heddle/kernel.h>

#include "constants.h"

HD_CONSTANT(uint32_t, constants_table, CONSTANTS_WORDS);
HD_DEFINE_SYMBOL(constants_table)

HD_KERNEL void constants_memory(uint32_t distinct, uint32_t turns, uint32_t *out)
{
    uint32_t at = hd_lane() & (distinct - 1), t;

    HD_NO_UNROLL
    for (t = 0; t < turns; t++)
        at = (at + hd_symbol(constants_table)[at]) & (CONSTANTS_WORDS - 1);
    if (at >= distinct)
        *out = at;
}
HD_DEFINE(constants_memory)

HD_KERNEL void constants_parameter(HD_GRID_CONST constants_words table, uint32_t distinct,
                                   uint32_t turns, uint32_t *out)
{
    uint32_t at = hd_lane() & (distinct - 1), t;

    HD_NO_UNROLL
    for (t = 0; t < turns; t++)
        at = (at + table.word[at]) & (CONSTANTS_WORDS - 1);
    if (at >= distinct)
        *out = at;
}
HD_DEFINE(constants_parameter)

HD_KERNEL void constants_readonly(const uint32_t *HD_RESTRICT table, uint32_t distinct,
                                  uint32_t turns, uint32_t *out)
{
    uint32_t at = hd_lane() & (distinct - 1), t;

    HD_NO_UNROLL
    for (t = 0; t < turns; t++)
        at = (at + hd_load_readonly(&table[at])) & (CONSTANTS_WORDS - 1);
    if (at >= distinct)
        *out = at;
}
HD_DEFINE(constants_readonly)

HD_KERNEL void constants_cache(uint32_t *out)
{
    *out = HD_HAS_CONSTANT_CACHE;
}
HD_DEFINE(constants_cache)
