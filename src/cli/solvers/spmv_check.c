/* SPDX-License-Identifier: Apache-2.0 */
/* spmv_check.c - checks the rows of a product against sums in long double. */
#include <float.h>
#include <math.h>

#include "cli/input/matrix.h"

/* The sum of a row, without the limits of its type's range and precision. */
typedef struct row_sum {
    long double sum;  /* of all terms */
    long double size; /* sum of the absolute values of finite terms */
    size_t entries;
} row_sum;

static row_sum sum_up(const hd_csr *m, const void *x, size_t row)
{
    const int64_t first = cli_offset(m, row), end = cli_offset(m, row + 1);
    row_sum s = {0, 0, (size_t)(end - first)};

    for (int64_t k = first; k < end; k++) {
        const long double term = (long double)cli_element(m->type, m->value, (size_t)k) *
                                 cli_element(m->type, x, (size_t)m->column[k]);
        s.sum += term;
        s.size += isfinite(term) ? fabsl(term) : 0;
    }
    return s;
}

/* Bound of the rounding error: (entries + 1) units of the sum of absolute products, plus one
   smallest number per product for underflow. */
static long double bound_of(hd_type type, const row_sum *s)
{
    const long double unit = type == HD_F32 ? 0x1p-24L : 0x1p-53L;
    const long double least = type == HD_F32 ? (long double)FLT_TRUE_MIN : DBL_TRUE_MIN;

    return s->size * unit * (long double)(s->entries + 1) + least * (long double)s->entries;
}

/* If the sum of absolute products exceeds the type's range, partial sums may overflow: then an
   infinity or NaN is accepted too; if all terms have one sign, only the infinity of that sign. */
static int right(hd_type type, const row_sum *s, double y)
{
    const long double most = type == HD_F32 ? (long double)FLT_MAX : DBL_MAX;
    const long double bound = bound_of(type, s);
    const int overflows = s->size + bound > most, one_sign = s->size == fabsl(s->sum);

    if (isnan(s->sum))
        return isnan(y);
    if (isinf(s->sum))
        return y == s->sum || (overflows && isnan(y));
    if (isfinite(y))
        return fabsl(y - s->sum) <= bound;
    return overflows && (!one_sign || y == (s->sum > 0 ? HUGE_VAL : -HUGE_VAL));
}

size_t cli_spmv_wrong_rows(const hd_csr *m, const void *x, const void *y, size_t *first)
{
    size_t wrong = 0;

    for (size_t i = m->rows; i-- > 0;) {
        const row_sum s = sum_up(m, x, i);
        if (!right(m->type, &s, cli_element(m->type, y, i))) {
            *first = i;
            wrong++;
        }
    }
    return wrong;
}
