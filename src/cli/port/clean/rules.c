/* SPDX-License-Identifier: Apache-2.0 */
/* rules.c - looks up the rules of clean.inc, and why other names are kept. */
#include "clean.h"

#include <stdlib.h>
#include <string.h>

static clean_name rules[] = {
#define CLEAN(name, heddle, rule) {#name, heddle, CLEAN_##rule},
#define CLEAN_SCOPES(name, heddle, rule)                                                           \
    {#name, heddle, CLEAN_##rule}, {#name "_block", heddle "_block", CLEAN_##rule},                \
        {#name "_system", heddle "_system", CLEAN_##rule},
#define CLEAN_WHY(name, why) {#name, why, CLEAN_KEEP},
#include "clean.inc"
#undef CLEAN
#undef CLEAN_SCOPES
#undef CLEAN_WHY
};

static int compare(const void *a, const void *b)
{
    return strcmp(((const clean_name *)a)->name, ((const clean_name *)b)->name);
}

const clean_name *clean_find(const char *name)
{
    static bool sorted;
    const clean_name key = {.name = name};

    if (!sorted)
        qsort(rules, sizeof rules / sizeof *rules, sizeof *rules, compare);
    sorted = true;
    return bsearch(&key, rules, sizeof rules / sizeof *rules, sizeof *rules, compare);
}

bool clean_is_word(const clean_name *rule)
{
    return rule->rule == CLEAN_INDEX || rule->rule == CLEAN_WORD || rule->rule == CLEAN_BOUNDS;
}

const char *clean_why_kept(const char *name)
{
    if (strcmp(name, "uint3") == 0 || strcmp(name, "make_uint3") == 0)
        return "converts to dim3";
    if (strncmp(name, "cudaError", 9) == 0 || strcmp(name, "cudaSuccess") == 0 ||
        strncmp(name, "hipError", 8) == 0 || strcmp(name, "hipSuccess") == 0)
        return "the result of calls that are kept";
    if (strncmp(name, "cuda", 4) == 0 || strncmp(name, "hip", 3) == 0)
        return "heddle has no current device: its calls name a device or a stream";
    if (strstr(name, "::") || strncmp(name, "thrust", 6) == 0 || strncmp(name, "cub", 3) == 0)
        return "a library's: docs/porting-names.md has heddle's calls";
    if (strstr(name, "half") || strstr(name, "bfloat16") || strncmp(name, "__h", 3) == 0)
        return "another type than hd_f16 and hd_bf16, which have functions of their own";
    if (strstr(name, "cuC") || strstr(name, "cuFloat") || strstr(name, "cuDouble"))
        return "another type than hd_c32 and hd_c64, which have functions of their own";
    if (strncmp(name, "__nv_atomic", 11) == 0 || strncmp(name, "__NV_", 5) == 0)
        return "order and scope are arguments; heddle's are part of the name";
    if (strncmp(name, "__reduce_", 9) == 0)
        return "a mask of 32 lanes; heddle's reductions take an hd_mask";
    return "heddle has no name of exactly this meaning";
}
