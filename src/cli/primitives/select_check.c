/* SPDX-License-Identifier: Apache-2.0 */
/* select_check.c - checks selections on the host, element by element. */
#include <string.h>

#include "select.h"

/* -1, 0, 1: below, equal, above; 2: unordered. */
#define COMPARE(T)                                                                                 \
    do {                                                                                           \
        T x, y;                                                                                    \
        memcpy(&x, a, sizeof x);                                                                   \
        memcpy(&y, b, sizeof y);                                                                   \
        return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;                                            \
    } while (0)

static int order(const void *a, const void *b, hd_type type)
{
    switch (type) {
    case HD_U8:
        COMPARE(uint8_t);
    case HD_I32:
        COMPARE(int32_t);
    case HD_U32:
        COMPARE(uint32_t);
    case HD_I64:
        COMPARE(int64_t);
    case HD_U64:
        COMPARE(uint64_t);
    case HD_F32:
        COMPARE(float);
    default:
        COMPARE(double);
    }
}

static int is_chosen(const cli_select_call *call, const unsigned char *x, size_t i)
{
    const hd_type type = call->array.type;
    const size_t size = hd_type_bytes(type);
    if (call->what >= CLI_UNIQUE)
        return i == 0 || order(x, x - size, type) != 0;
    const int o = order(x, &call->where.value, type);
    switch (call->where.kind) {
    case HD_WHERE_LT:
        return o == -1;
    case HD_WHERE_LE:
        return o == -1 || o == 0;
    case HD_WHERE_GT:
        return o == 1;
    case HD_WHERE_GE:
        return o == 1 || o == 0;
    case HD_WHERE_EQ:
        return o == 0;
    default:
        return o != 0;
    }
}

size_t cli_select_check(const cli_select_call *call)
{
    const size_t size = hd_type_bytes(call->array.type);
    size_t count = 0, begin = 0;
    for (size_t i = 0; i < call->array.n; i++) {
        const unsigned char *x = (const unsigned char *)call->array.data + i * size;
        const int chosen = is_chosen(call, x, i);
        const uint64_t place = chosen ? count : call->selected + (i - count);
        if (chosen && count >= call->selected)
            return i;
        if ((chosen || call->what == CLI_PARTITION) &&
            (place >= call->array.n || memcmp(call->chosen + place * size, x, size) != 0))
            return i;
        if (chosen && count > 0 && call->what == CLI_RUNS && call->lengths[count - 1] != i - begin)
            return begin;
        begin = chosen ? i : begin;
        count += (size_t)chosen;
    }
    if (count != call->selected)
        return call->array.n;
    if (call->what == CLI_RUNS && count > 0 && call->lengths[count - 1] != call->array.n - begin)
        return begin;
    return CLI_SELECT_RIGHT;
}
