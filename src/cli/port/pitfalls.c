/* SPDX-License-Identifier: Apache-2.0 */
/* pitfalls.c - warns about device code that relies on warps of 32 lanes, or on their lockstep. */
#include "port.h"

#include <stdlib.h>
#include <string.h>

static const char page_size[] = "docs/porting-pitfalls.md#warp-size";
static const char page_masks[] = "docs/porting-pitfalls.md#masks";
static const char page_lockstep[] = "docs/porting-pitfalls.md#warp-synchronous-code";

/* The value of an integer literal, or -1. */
static long long value_of(const port_file *file, uint32_t i)
{
    const char *text = port_text(file, i);
    char *end;
    long long value;

    if (i >= file->count || file->tokens[i].kind != PORT_NUMBER)
        return -1;
    value = strtoll(text, &end, 0);
    return end != text && strspn(end, "uUlL") == strlen(end) ? value : -1;
}

static bool one_of(const port_file *file, uint32_t i, const char *words)
{
    const char *text = port_text(file, i);
    const size_t length = strlen(text);

    for (const char *at = words; (at = strstr(at, text)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return length > 0;
    return false;
}

static void warn_size(port_job *job, port_file *file, uint32_t i)
{
    port_report(job, PORT_WARNING, "warp-size", file, file->tokens[i].line, page_size,
                "%s %s in lane arithmetic: the translation keeps logical warps of 32 lanes, also "
                "where a warp has 64",
                port_is(file, i - 1, ">") && port_is(file, i - 2, ">") ? ">>"
                                                                       : port_text(file, i - 1),
                port_text(file, i));
}

/* & 31, % 32, / 32, >> 5, and 32 beside warp operations. */
static void check_literal(port_job *job, port_file *file, uint32_t i)
{
    const long long value = value_of(file, i);
    const bool shift = one_of(file, i - 1, ">> >>=") ||
                       (port_is(file, i - 1, ">") && port_is(file, i - 2, ">")) ||
                       (port_is(file, i - 1, "<<") || port_is(file, i - 1, "<<="));

    if ((value == 31 && one_of(file, i - 1, "& &= <= > -")) ||
        (value == 32 && one_of(file, i - 1, "% / %= /= * -")) || (value == 5 && shift))
        warn_size(job, file, i);
}

static bool is_vote(const port_file *file, uint32_t i)
{
    return one_of(file, i, "__ballot_sync __activemask __match_any_sync __match_all_sync __ballot");
}

/* The mask of a collective, given as a number. */
static void check_mask(port_job *job, port_file *file, uint32_t i)
{
    const char *name = port_text(file, i);
    const size_t length = strlen(name);
    const bool collective = length > 5 && strcmp(name + length - 5, "_sync") == 0 &&
                            strncmp(name, "__", 2) == 0;
    const uint32_t first = i + 2;

    if (!port_is(file, i + 1, "(") || (!collective && !port_is(file, i, "__syncwarp")))
        return;
    if (file->tokens[first].kind == PORT_NUMBER ||
        ((port_is(file, first, "~") || port_is(file, first, "-")) &&
         file->tokens[first + 1].kind == PORT_NUMBER))
        port_report(job, PORT_WARNING, "mask-literal", file, file->tokens[i].line, page_masks,
                    "a literal mask of 32 lanes in %s: it names the lanes of a logical warp of 32",
                    name);
}

/* unsigned mask = __ballot_sync(...) */
static void check_mask_variable(port_job *job, port_file *file, uint32_t i)
{
    if (!is_vote(file, i) || !port_is(file, i - 1, "=") || !port_is_name(file, i - 2))
        return;
    port_report(job, PORT_WARNING, "mask-variable", file, file->tokens[i].line, page_masks,
                "%s holds a mask of 32 lanes, those of a logical warp", port_text(file, i - 2));
}

static bool is_barrier(const port_file *file, uint32_t i)
{
    return one_of(file, i,
                  "__syncwarp __syncthreads sync __shfl_down_sync __shfl_xor_sync __shfl_sync "
                  "__shfl_up_sync __threadfence_block") ||
           strncmp(port_text(file, i), "__shfl", 6) == 0;
}

/* Whether an element of an array is updated from another element: x[...] += x[...]. */
static bool combines(const port_file *file, uint32_t open)
{
    const uint32_t close = file->tokens[open].match;

    if (!port_is(file, open, "[") || close <= open || !port_is_name(file, open - 1))
        return false;
    if (!one_of(file, close + 1, "= += *= |= &= ^="))
        return false;
    for (uint32_t i = close + 2; i < file->count && !port_is(file, i, ";"); i++)
        if (port_is(file, i, "[") && port_is_name(file, i - 1) &&
            strcmp(port_text(file, i - 1), port_text(file, open - 1)) == 0)
            return true;
    return false;
}

/* if (t < 32) { s[t] += s[t + 16]; ... } without a barrier in between. */
static void check_tail(port_job *job, port_file *file, uint32_t i)
{
    const uint32_t open = i + 1, close = file->tokens[open].match;
    uint32_t last, count = 0;
    bool small = false;

    if (!port_is(file, i, "if") || !port_is(file, open, "(") || close <= open)
        return;
    for (uint32_t k = open; k < close; k++)
        small |= (port_is(file, k, "<") &&
                  (value_of(file, k + 1) == 32 || one_of(file, k + 1, "warpSize WARP_SIZE"))) ||
                 (port_is(file, k, "<=") && value_of(file, k + 1) == 31);
    if (!small)
        return;
    last = port_is(file, close + 1, "{") ? file->tokens[close + 1].match : close + 1;
    while (!port_is(file, close + 1, "{") && last < file->count && !port_is(file, last, ";"))
        last++;
    for (uint32_t k = close + 1; k < last; k++) {
        if (is_barrier(file, k))
            return;
        count += combines(file, k);
        if (port_is_name(file, k) && strncmp(port_text(file, k), "warpReduce", 10) == 0)
            count++;
    }
    if (count)
        port_report(
            job, PORT_WARNING, "warp-tail", file, file->tokens[i].line, page_lockstep,
            "a tail of one warp that relies on lockstep: put __syncwarp() between its steps");
}

static void check_volatile(port_job *job, port_file *file, uint32_t i)
{
    if (port_is(file, i, "volatile") && !port_is(file, i - 1, "asm") &&
        !port_is(file, i - 1, "__asm__") && !port_is(file, i + 1, "__shared__"))
        port_report(job, PORT_WARNING, "volatile", file, file->tokens[i].line, page_lockstep,
                    "volatile in device code orders nothing between the lanes of a warp");
}

/* Functions whose parameters are volatile pointers: `volatile` stands before the body. */
static bool in_device_header(const port_file *file, uint32_t i)
{
    for (uint32_t k = i; k < file->count && k < i + 256; k++) {
        if (port_is(file, k, "{"))
            return file->device[k];
        if (port_is(file, k, ";"))
            return false;
    }
    return false;
}

void port_pass_pitfalls(port_job *job, port_file *file)
{
    for (uint32_t i = 2; i < file->count; i++) {
        const bool body = file->device[i] || file->tokens[i].directive;

        if (port_is(file, i, "volatile") && (file->device[i] || in_device_header(file, i)))
            check_volatile(job, file, i);
        if (!body)
            continue;
        if (file->tokens[i].kind == PORT_NUMBER && file->device[i])
            check_literal(job, file, i);
        if (!port_is_name(file, i))
            continue;
        check_mask(job, file, i);
        check_mask_variable(job, file, i);
        if (file->device[i])
            check_tail(job, file, i);
    }
}
