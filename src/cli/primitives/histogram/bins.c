/* SPDX-License-Identifier: Apache-2.0 */
/* bins.c - range of the bins from the command line or from the elements, and a reference for the
   bin of an element. */
#include "bins.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/number.h"
#include "cli/app/words.h"

enum { DEFAULT_BINS = 256 };

static bool is_real(hd_type type)
{
    return type == HD_F32 || type == HD_F64;
}

static double real_at(hd_type type, const void *data, size_t i)
{
    return type == HD_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

static histogram_whole whole_at(hd_type type, const void *data, size_t i)
{
    switch (type) {
    case HD_U8:
        return ((const uint8_t *)data)[i];
    case HD_U32:
        return ((const uint32_t *)data)[i];
    case HD_I32:
        return ((const int32_t *)data)[i];
    case HD_U64:
        return ((const uint64_t *)data)[i];
    default:
        return ((const int64_t *)data)[i];
    }
}

static void whole_text(histogram_whole value, char text[CLI_NUMBER])
{
    const hd_i128 parts = {.low = (uint64_t)value, .high = (int64_t)(value >> 64)};

    cli_text_i128(parts, text);
}

/* The fewest digits that distinguish the value from others of its type; integers in full. */
static void real_text(hd_type type, double value, char text[CLI_NUMBER])
{
    const bool narrow = type == HD_F32 && value <= (double)FLT_MAX;
    const int most = narrow ? 9 : 17;
    int digits = 1;

    value = narrow ? (double)(float)value : value;
    if (fabs(value) < 1e15 && floor(value) == value) {
        snprintf(text, CLI_NUMBER, "%.0f", value + 0.0); /* turns -0.0 into 0 */
        return;
    }
    do
        snprintf(text, CLI_NUMBER, "%.*g", digits, value);
    while (digits++ < most && (narrow ? (double)strtof(text, NULL) : strtod(text, NULL)) != value);
}

/* ---- range of the elements ------------------------------------------------------------------- */

static void wholes_of(const cli_array *array, histogram_bins *bins)
{
    const size_t n = array->data && array->type != HD_U8 ? array->n : 0;

    bins->wholes.low = n ? whole_at(array->type, array->data, 0) : 0;
    bins->wholes.high = n ? bins->wholes.low : 255;
    for (size_t i = 1; i < n; i++) {
        const histogram_whole x = whole_at(array->type, array->data, i);
        bins->wholes.low = x < bins->wholes.low ? x : bins->wholes.low;
        bins->wholes.high = x > bins->wholes.high ? x : bins->wholes.high;
    }
    bins->wholes.high++;
}

static void reals_of(const cli_array *array, histogram_bins *bins)
{
    double low = (double)INFINITY, high = -(double)INFINITY;

    for (size_t i = 0; array->data && i < array->n; i++) {
        const double x = real_at(array->type, array->data, i);
        low = x < low && isfinite(x) ? x : low;
        high = x > high && isfinite(x) ? x : high;
    }
    if (!(low <= high)) {
        low = 0;
        high = 0.5;
    }
    const double next = array->type == HD_F32 ? (double)nextafterf((float)high, INFINITY)
                                              : nextafter(high, (double)INFINITY);
    bins->reals.low = low;
    bins->reals.closed = isinf(next);
    bins->reals.high = bins->reals.closed ? high : next;
}

/* ---- options --------------------------------------------------------------------------------- */

static histogram_whole type_least(hd_type type)
{
    return type == HD_I32 ? INT32_MIN : type == HD_I64 ? INT64_MIN : 0;
}

static histogram_whole type_end(hd_type type)
{
    return type_least(type) + ((histogram_whole)1 << 8 * hd_type_bytes(type));
}

/* Decimal digits, exactly; or any number without a fraction, such as 1e6. */
static bool whole_read(const char *text, histogram_whole *value)
{
    const char *digits = text + (text[0] == '-' || text[0] == '+');
    const size_t length = strlen(digits);
    char copy[64];
    double real;

    if (length > 0 && length < 30 && strspn(digits, "0123456789") == length) {
        *value = 0;
        for (size_t i = 0; i < length; i++)
            *value = *value * 10 + (digits[i] - '0');
        *value = text[0] == '-' ? -*value : *value;
        return true;
    }
    if (strlen(text) >= sizeof copy ||
        hd__number_f64(strcpy(copy, text), strlen(text), &real) != HD__NUMBER_OK ||
        !(fabs(real) <= 0x1p53) || floor(real) < real)
        return false;
    *value = (histogram_whole)real;
    return true;
}

static int read_whole(const cli_arguments *arguments, const char *name, hd_type type,
                      histogram_whole *value)
{
    const char *text = cli_option_value(arguments, name);
    char least[CLI_NUMBER], end[CLI_NUMBER];

    if (!text ||
        (whole_read(text, value) && *value >= type_least(type) && *value <= type_end(type)))
        return CLI_DONE;
    whole_text(type_least(type), least);
    whole_text(type_end(type), end);
    return cli_misused(arguments->command,
                       "--low, --high: for bins of %s they are whole numbers from %s to %s, not "
                       "'%s'",
                       hd_type_name(type), least, end, text);
}

static int read_wholes(const cli_arguments *arguments, histogram_bins *bins)
{
    char low[CLI_NUMBER], high[CLI_NUMBER];
    int status = read_whole(arguments, "low", bins->type, &bins->wholes.low);

    if (status == CLI_DONE)
        status = read_whole(arguments, "high", bins->type, &bins->wholes.high);
    if (status != CLI_DONE || bins->wholes.low < bins->wholes.high)
        return status;
    whole_text(bins->wholes.low, low);
    whole_text(bins->wholes.high, high);
    return cli_misused(arguments->command, "--low %s is not below --high %s", low, high);
}

/* A limit of f32 bins is an f32, or 2^128, above the largest. */
static double bound_in(hd_type type, double bound)
{
    return type == HD_F64 || (bound > (double)FLT_MAX && bound <= 0x1p128) ? bound
                                                                           : (double)(float)bound;
}

static int read_reals(const cli_arguments *arguments, histogram_bins *bins)
{
    double *low = &bins->reals.low, *high = &bins->reals.high;
    int status = cli_number_read(arguments, "low", *low, low);

    if (status == CLI_DONE)
        status = cli_number_read(arguments, "high", *high, high);
    if (status != CLI_DONE)
        return status;
    bins->reals.closed = bins->reals.closed && !cli_option_given(arguments, "high");
    if (bins->reals.closed ? *low <= *high : *low < *high)
        return CLI_DONE;
    return cli_misused(arguments->command, "--low %.17g is not below --high %.17g", *low, *high);
}

int histogram_bins_read(const cli_arguments *arguments, const cli_array *array,
                        histogram_bins *bins_out)
{
    histogram_bins bins = {.type = array->type};
    uint64_t count, usual = DEFAULT_BINS;
    int status;

    if (is_real(array->type)) {
        reals_of(array, &bins);
        status = read_reals(arguments, &bins);
    } else {
        wholes_of(array, &bins);
        status = read_wholes(arguments, &bins);
        if (bins.wholes.high - bins.wholes.low < DEFAULT_BINS)
            usual = (uint64_t)(bins.wholes.high - bins.wholes.low);
    }
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "bins", usual, 1, HD_HISTOGRAM_MAX_BINS, &count);
    if (status != CLI_DONE)
        return status;
    bins.count = (size_t)count;
    *bins_out = bins;
    return CLI_DONE;
}

/* ---- counting -------------------------------------------------------------------------------- */

static hd_scalar scalar_of(const histogram_bins *bins, histogram_whole whole, double real)
{
    hd_scalar value = {.u64 = (uint64_t)whole};

    if (bins->type == HD_F32)
        value.f32 = (float)real;
    else if (bins->type == HD_F64)
        value.f64 = real;
    else if (bins->type == HD_I32 || bins->type == HD_U32)
        value.u32 = (uint32_t)whole;
    else if (bins->type == HD_U8)
        value.u8 = (uint8_t)whole;
    return value;
}

hd_status histogram_bins_count(const histogram_bins *bins, const void *in, size_t n,
                               uint64_t *counts, uint64_t *outside, hd_stream *stream)
{
    const hd_bins open = {bins->reals.low, bins->reals.high, bins->count};
    hd_closed_bins closed;

    if (is_real(bins->type) && !bins->reals.closed)
        return hd_histogram(in, n, bins->type, &open, HD_U64, counts, outside, NULL, stream);
    closed.low = scalar_of(bins, bins->wholes.low, bins->reals.low);
    closed.last = scalar_of(bins, bins->wholes.high - 1, bins->reals.high);
    closed.count = bins->count;
    return hd_histogram_closed(in, n, bins->type, &closed, HD_U64, counts, outside, NULL, stream);
}

/* ---- reference ------------------------------------------------------------------------------- */

static size_t place_f64(const histogram_bins *bins, double x, double low, double high)
{
    const double unit = high / 2 - low / 2 < 0x1p999 ? 1 : 0x1p-64;
    const double at = (x * unit - low * unit) * (double)bins->count / (high * unit - low * unit);

    return at < (double)bins->count ? (size_t)at : bins->count - 1;
}

static size_t place_real(const histogram_bins *bins, double x)
{
    const double low = bound_in(bins->type, bins->reals.low);
    const double high = bound_in(bins->type, bins->reals.high);
    const float scale = (float)((double)bins->count / (high - low));

    if (isnan(x))
        return bins->count + 2;
    if (x < low)
        return bins->count;
    if (bins->reals.closed ? x > high : x >= high)
        return bins->count + 1;
    if (!(low < high))
        return 0;
    if (bins->type == HD_F64 || isinf((float)high) || isinf((float)high - (float)low) ||
        !isnormal(scale))
        return place_f64(bins, x, low, high);
    const float at = ((float)x - (float)low) * scale;
    return (size_t)at < bins->count ? (size_t)at : bins->count - 1;
}

size_t histogram_bins_place(const histogram_bins *bins, const void *data, size_t i)
{
    const histogram_whole low = bins->wholes.low, high = bins->wholes.high;

    if (is_real(bins->type))
        return place_real(bins, real_at(bins->type, data, i));
    const histogram_whole x = whole_at(bins->type, data, i);
    if (x < low || x >= high)
        return bins->count + (x >= high);
    return (size_t)((x - low) * (histogram_whole)bins->count / (high - low));
}

/* ---- edges ----------------------------------------------------------------------------------- */

void histogram_bins_edge(const histogram_bins *bins, size_t bin, char text[CLI_NUMBER])
{
    const histogram_whole count = (histogram_whole)bins->count;
    const histogram_whole width = bins->wholes.high - bins->wholes.low;
    const double low = bound_in(bins->type, bins->reals.low);
    const double high = bound_in(bins->type, bins->reals.high);
    const double part = (double)bin / (double)bins->count;

    if (!is_real(bins->type))
        whole_text(bins->wholes.low + (width * (histogram_whole)bin + count - 1) / count, text);
    else if (bin == 0 || bin == bins->count)
        real_text(bins->type, bin ? high : low, text);
    else if (high / 2 - low / 2 < 0x1p999)
        real_text(bins->type, low + (high - low) * (double)bin / (double)bins->count, text);
    else
        real_text(bins->type, low * (1 - part) + high * part, text);
}
