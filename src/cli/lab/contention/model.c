/* SPDX-License-Identifier: Apache-2.0 */
/* model.c - what atomics leave in memory and return, from arithmetic on the host. Values stay below
   2^24, so that sums of floats are exact in any order. */
#include <string.h>

#include "contention.h"

enum { SUB_START = 1 << 23, MIN_START = 1 << 21, WRAP = CONTENTION_TOP + 1 };

bool contention_exists(contention_op op, hd_type type)
{
    if (op <= CONTENTION_CAS)
        return true;
    return op <= CONTENTION_XOR ? type != HD_F32 && type != HD_F64 : type == HD_U32;
}

size_t contention_bytes(hd_type type)
{
    return type == HD_U32 || type == HD_I32 || type == HD_F32 ? 4 : 8;
}

/* ---- which threads use a word ---------------------------------------------------------------- */

/* Threads [*first_out, *end_out) use word `word`. */
static void users_of(const contention_case *c, uint32_t word, uint32_t *first_out,
                     uint32_t *end_out)
{
    const uint32_t block = CONTENTION_BLOCK;

    *first_out = word;
    *end_out = word + 1;
    if (!c->work.one)
        return;
    if (c->work.shared)
        *end_out = word % block == 0 ? word + block : word;
    else if (c->work.scope != CONTENTION_PER_BLOCK)
        *end_out = word == 0 ? c->blocks * block : word;
    else if (word < c->blocks) {
        *first_out = word * block;
        *end_out = *first_out + block;
    } else
        *end_out = word;
}

uint64_t contention_busiest(const contention_case *c)
{
    uint32_t first, end;

    users_of(c, 0, &first, &end);
    return (uint64_t)(end - first) * c->work.turns;
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint64_t start_of(const contention_case *c)
{
    switch (c->work.op) {
    case CONTENTION_SUB:
        return SUB_START;
    case CONTENTION_MIN:
        return MIN_START;
    case CONTENTION_AND:
        return ~(uint64_t)0;
    default:
        return 0;
    }
}

/* The bits of the value in the type. */
static uint64_t bits_of(hd_type type, uint64_t value)
{
    const float f32 = (float)value;
    const double f64 = (double)value;
    uint64_t bits = 0;

    if (type == HD_F32)
        memcpy(&bits, &f32, sizeof f32);
    else if (type == HD_F64)
        memcpy(&bits, &f64, sizeof f64);
    else
        memcpy(&bits, &value, contention_bytes(type));
    return bits;
}

static uint64_t word_of(const contention_case *c, const void *words, size_t i)
{
    const size_t bytes = contention_bytes(c->type);
    uint64_t bits = 0;

    memcpy(&bits, (const unsigned char *)words + i * bytes, bytes);
    return bits;
}

/* The word as a number; those of and, or, xor are not asked for. */
static uint64_t number_of(hd_type type, uint64_t bits)
{
    float f32;
    double f64;

    memcpy(&f32, &bits, sizeof f32);
    memcpy(&f64, &bits, sizeof f64);
    if (type == HD_F32 || type == HD_F64) {
        const double number = type == HD_F32 ? (double)f32 : f64;

        return number >= 0 && number < 1e15 ? (uint64_t)number : UINT64_MAX;
    }
    return bits;
}

void contention_start(const contention_case *c, void *words)
{
    const uint64_t bits = bits_of(c->type, start_of(c));
    const size_t bytes = contention_bytes(c->type);

    for (size_t i = 0; i < (size_t)c->blocks * CONTENTION_BLOCK; i++)
        memcpy((unsigned char *)words + i * bytes, &bits, bytes);
}

/* ---- results --------------------------------------------------------------------------------- */

/* What the users of one word do. */
typedef struct share {
    uint64_t n;      /* operations */
    uint64_t sum;    /* of their operands */
    uint64_t folded; /* the operands combined with the start by min, max, and, or, xor */
    uint64_t tally;  /* of the threads */
} share;

static uint64_t fold(uint32_t op, uint64_t a, uint64_t b)
{
    switch (op) {
    case CONTENTION_MIN:
        return a < b ? a : b;
    case CONTENTION_MAX:
        return a > b ? a : b;
    case CONTENTION_AND:
        return a & b;
    case CONTENTION_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static share share_of(const contention_case *c, uint32_t word, const uint64_t *tallies)
{
    share s = {0, 0, start_of(c), 0};
    uint32_t first, end;

    users_of(c, word, &first, &end);
    for (uint32_t thread = first; thread < end; thread++) {
        s.tally += tallies[thread];
        for (uint32_t turn = 0; turn < c->work.turns; turn++) {
            uint64_t operand = contention_operand(c->work.op, thread, turn);

            if (c->type == HD_I32) /* sign extension of the kernel's cast */
                operand = (uint64_t)(int64_t)(int32_t)(uint32_t)operand;
            s.n++;
            s.sum += operand;
            s.folded = fold(c->work.op, s.folded, operand);
        }
    }
    return s;
}

/* Sum of 0, 1 ... n - 1. */
static uint64_t below(uint64_t n)
{
    return n ? n * (n - 1) / 2 : 0;
}

static bool share_right(const contention_case *c, const share *s, uint64_t bits)
{
    const uint64_t n = s->n, left = n % WRAP, found = number_of(c->type, bits);

    switch (c->work.op) {
    case CONTENTION_ADD: /* they return 0, 1 ... n - 1 in some order */
        return bits == bits_of(c->type, n) && s->tally == below(n);
    case CONTENTION_SUB:
        return bits == bits_of(c->type, SUB_START - n) && s->tally == n * SUB_START - below(n);
    case CONTENTION_EXCH: /* every value put is returned once, or is left */
        return bits == bits_of(c->type, found) && s->tally + found == s->sum;
    case CONTENTION_CAS: /* every success adds 1; without competitors all succeed */
        return bits == bits_of(c->type, s->tally) && s->tally <= n && (n == 0 || s->tally > 0) &&
               (n != c->work.turns || s->tally == n);
    case CONTENTION_INC: /* 0 ... TOP again and again */
        return bits == left && s->tally == n / WRAP * below(WRAP) + below(left);
    case CONTENTION_DEC: /* 0, TOP, TOP - 1 ... 1, 0, TOP ... */
        return bits == (WRAP - left) % WRAP &&
               s->tally == n / WRAP * below(WRAP) + (left ? (left - 1) * WRAP - below(left) : 0);
    default:
        return bits == bits_of(c->type, s->folded);
    }
}

bool contention_right(const contention_case *c, const contention_results *found)
{
    for (uint32_t word = 0; word < c->blocks * CONTENTION_BLOCK; word++) {
        const uint64_t bits = word_of(c, found->words, word);
        const share s = share_of(c, word, found->tallies);

        if (s.n == 0 ? bits != bits_of(c->type, start_of(c)) : !share_right(c, &s, bits))
            return false;
    }
    return true;
}
