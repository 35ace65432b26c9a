/* SPDX-License-Identifier: Apache-2.0 */
/* pieces.c - counts distinct pieces of sorted addresses. */
#include "pieces.h"

#include <stdlib.h>

static int by_value(const void *one, const void *other)
{
    const size_t a = *(const size_t *)one, b = *(const size_t *)other;

    return (a > b) - (a < b);
}

void lab_addresses_sort(size_t *addresses, size_t count)
{
    qsort(addresses, count, sizeof *addresses, by_value);
}

double lab_pieces(const size_t *addresses, size_t count, size_t size)
{
    double sum = 1;

    for (size_t i = 1; i < count; i++)
        sum += addresses[i] / size != addresses[i - 1] / size;
    return sum;
}
