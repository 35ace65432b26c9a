/* SPDX-License-Identifier: Apache-2.0 */
/* scan_check.c - checks a scan on the host, element by element. */
#include <math.h>

#include <heddle/device/dd.h>

#include "scan.h"

/* Above the error bound of docs/scan.md for sums of any length; in units in the last place. */
#define SUM_UNITS 64

static int starts(const cli_scan_call *c, size_t i)
{
    return i == 0 || (c->heads.data && ((const uint8_t *)c->heads.data)[i] != 0);
}

/* ---- floats ---------------------------------------------------------------------------------- */

static double real_at(hd_type type, const void *data, size_t i)
{
    return type == HD_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

/* -0 orders below +0; NaN propagates. */
static double lower(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a < b || (a == b && signbit(a)) ? a : b;
}

typedef struct real_state {
    hd_dd sum;
    double absolute; /* of the terms */
    double extreme;
} real_state;

static real_state real_start(const cli_scan_call *c)
{
    const double initial = real_at(c->array.type, &c->initial, 0);
    real_state s = {{0, 0}, 0, 0};

    s.extreme = c->op == HD_MIN ? (double)INFINITY : -(double)INFINITY;
    if (!c->begins)
        return s;
    s.sum = hd_dd_from_f64(initial);
    s.absolute = fabs(initial);
    s.extreme = initial;
    return s;
}

static void real_add(const cli_scan_call *c, real_state *s, double x)
{
    s->sum = hd_dd_add(s->sum, hd_dd_from_f64(x));
    s->absolute += fabs(x);
    s->extreme = c->op == HD_MIN ? lower(s->extreme, x) : -lower(-s->extreme, -x);
}

/* If a sum meets infinities or exceeds the type's range, the result depends on the order: only NaN
   is checked. */
static int real_is_right(const cli_scan_call *c, const real_state *s, double got)
{
    const double unit = c->array.type == HD_F32 ? 0x1p-24 : 0x1p-53;
    const double largest = c->array.type == HD_F32 ? 0x1p127 : 0x1p1022;

    if (c->op != HD_SUM)
        return isnan(s->extreme) ? isnan(got) : got == s->extreme;
    if (isnan(s->absolute))
        return isnan(got);
    return s->absolute >= largest ||
           fabs(got - hd_dd_to_f64(s->sum)) <= SUM_UNITS * unit * s->absolute;
}

static size_t check_real(const cli_scan_call *c)
{
    real_state s = real_start(c);

    for (size_t i = 0; i < c->array.n; i++) {
        const double x = real_at(c->array.type, c->array.data, i);
        const double got = real_at(c->array.type, c->result, i);

        if (starts(c, i))
            s = real_start(c);
        if (c->kind == HD_SCAN_EXCLUSIVE && !real_is_right(c, &s, got))
            return i;
        real_add(c, &s, x);
        if (c->kind == HD_SCAN_INCLUSIVE && !real_is_right(c, &s, got))
            return i;
    }
    return c->array.n;
}

/* ---- integers -------------------------------------------------------------------------------- */

static int is_signed(hd_type type)
{
    return type == HD_I32 || type == HD_I64;
}

static uint64_t integer_at(hd_type type, const void *data, size_t i)
{
    switch (type) {
    case HD_I32:
        return (uint64_t)(int64_t)((const int32_t *)data)[i];
    case HD_U32:
        return ((const uint32_t *)data)[i];
    default:
        return ((const uint64_t *)data)[i];
    }
}

/* The value before the first element: the initial element, otherwise 0, the largest value or the
   smallest. */
static uint64_t integer_start(const cli_scan_call *c)
{
    const hd_type type = c->array.type;
    const unsigned bits = 8 * (unsigned)hd_type_bytes(type);
    const uint64_t most = UINT64_MAX >> (64 - bits + (unsigned)is_signed(type));

    if (c->begins)
        return integer_at(type, &c->initial, 0);
    return c->op == HD_SUM ? 0 : c->op == HD_MIN ? most : is_signed(type) ? ~most : 0;
}

static size_t check_integers(const cli_scan_call *c)
{
    const hd_type type = c->array.type;
    const uint64_t mask = UINT64_MAX >> (64 - 8 * hd_type_bytes(type));
    uint64_t all = 0;

    for (size_t i = 0; i < c->array.n; i++) {
        const uint64_t x = integer_at(type, c->array.data, i);
        const uint64_t before = starts(c, i) ? integer_start(c) : all;
        const int below = is_signed(type) ? (int64_t)x < (int64_t)before : x < before;

        all = c->op == HD_SUM ? before + x : below == (c->op == HD_MIN) ? x : before;
        if ((integer_at(type, c->result, i) ^ (c->kind == HD_SCAN_EXCLUSIVE ? before : all)) & mask)
            return i;
    }
    return c->array.n;
}

size_t cli_scan_check(const cli_scan_call *c)
{
    return c->array.type == HD_F32 || c->array.type == HD_F64 ? check_real(c) : check_integers(c);
}
