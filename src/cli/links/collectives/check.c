/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - input of `heddle collectives`, and the expected results. */
#include "collectives.h"

#include <string.h>

#include <heddle/device/half.h>

static int64_t value(const collective_case *c, unsigned rank, size_t i)
{
    const uint64_t h = ((uint64_t)i * 2654435761u + rank * 40503u) >> 7;
    return c->op == HD_PROD ? (int64_t)(h & 1) + 1 : (int64_t)(h & 15) - 8;
}

static void put(hd_type type, int64_t v, void *to)
{
    const double d = (double)v;
    const float f = (float)v;
    hd_f16 half;
    hd_bf16 brain;

    switch (type) {
    case HD_F64:
        memcpy(to, &d, 8);
        break;
    case HD_F32:
        memcpy(to, &f, 4);
        break;
    case HD_F16:
        half = hd_f16_from_f32(f);
        memcpy(to, &half, 2);
        break;
    case HD_BF16:
        brain = hd_bf16_from_f32(f);
        memcpy(to, &brain, 2);
        break;
    default: /* little-endian: the low bytes */
        memcpy(to, &v, hd_type_bytes(type));
        break;
    }
}

void collective_fill(const collective_case *c, unsigned rank, void *to, size_t n)
{
    const size_t size = hd_type_bytes(c->type);

    for (size_t i = 0; i < n; i++)
        put(c->type, value(c, rank, i), (char *)to + i * size);
}

/* Compares as the element type does. */
static int less(hd_type type, int64_t a, int64_t b)
{
    const int is_unsigned = type == HD_U8 || type == HD_U16 || type == HD_U32 || type == HD_U64;
    return is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;
}

static int64_t folded(const collective_case *c, size_t i)
{
    int64_t sum = value(c, 0, i);

    for (unsigned r = 1; r < hd_group_size(c->group); r++) {
        const int64_t v = value(c, r, i);
        if (c->op == HD_SUM)
            sum += v;
        else if (c->op == HD_PROD)
            sum *= v;
        else if (less(c->type, v, sum) == (c->op == HD_MIN))
            sum = v;
    }
    return sum;
}

static int64_t expected(const collective_case *c, unsigned rank, size_t i)
{
    const unsigned ranks = hd_group_size(c->group);

    switch (c->what) {
    case COLLECTIVE_REDUCE_SCATTER:
        return folded(c, rank * c->count + i);
    case COLLECTIVE_ALL_GATHER:
        return value(c, (unsigned)(i / c->count), i % c->count);
    case COLLECTIVE_BROADCAST:
        return value(c, 0, i);
    case COLLECTIVE_ALL_TO_ALL:
        return value(c, (unsigned)(i / c->count), rank * c->count + i % c->count);
    case COLLECTIVE_SEND_RECEIVE:
        return value(c, (rank + ranks - 1) % ranks, i);
    default:
        return folded(c, i);
    }
}

uint64_t collective_wrong(const collective_case *c, unsigned rank, const void *got)
{
    const size_t size = hd_type_bytes(c->type);
    const int all = c->what == COLLECTIVE_ALL_GATHER || c->what == COLLECTIVE_ALL_TO_ALL;
    const size_t n = c->count * (all ? hd_group_size(c->group) : 1);
    uint64_t wrong = 0;
    char right[8];

    for (size_t i = 0; i < n; i++) {
        put(c->type, expected(c, rank, i), right);
        wrong += memcmp((const char *)got + i * size, right, size) != 0;
    }
    return wrong;
}
