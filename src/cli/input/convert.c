/* SPDX-License-Identifier: Apache-2.0 */
/* convert.c - converts arrays between element types: exactly, or rounded once with a note. */
#include "convert.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

enum { ARRAY_ALIGNMENT = 64 };

int cli_type_kind(hd_type type)
{
    return type == HD_F16 || type == HD_F32 || type == HD_F64 ? GENERATE_FLOAT
           : hd_type_name(type)[0] == 'i'                     ? GENERATE_SIGNED
                                                              : GENERATE_UNSIGNED;
}

void *cli_elements(size_t n, hd_type type)
{
    size_t bytes = hd_bytes(n, hd_type_bytes(type));

    if (bytes > SIZE_MAX - ARRAY_ALIGNMENT)
        return NULL;
    return aligned_alloc(ARRAY_ALIGNMENT, (bytes / ARRAY_ALIGNMENT + 1) * ARRAY_ALIGNMENT);
}

int cli_array_no_memory(const cli_arguments *arguments, size_t n, hd_type type)
{
    return cli_failed(arguments->command, "%zu numbers of type %s do not fit in memory", n,
                      hd_type_name(type));
}

/* An element of any type: an integer as sign and magnitude, or a float. */
typedef struct any_value {
    bool real, negative;
    uint64_t magnitude;
    double f64;
} any_value;

static any_value get_value(hd_type type, const unsigned char *from)
{
    any_value v = {false, false, 0, 0.0};
    size_t size = hd_type_bytes(type);
    float f32;

    memcpy(&v.magnitude, from, size);
    v.real = cli_type_kind(type) == GENERATE_FLOAT;
    if (cli_type_kind(type) == GENERATE_SIGNED && v.magnitude >> (8 * size - 1)) {
        v.negative = true;
        v.magnitude = (0 - v.magnitude) & (UINT64_MAX >> (64 - 8 * size));
    }
    if (type == HD_F16) {
        v.f64 = (double)hd_f16_to_f32(hd_f16_from_bits((uint16_t)v.magnitude));
    } else if (type == HD_F32) {
        memcpy(&f32, from, sizeof f32);
        v.f64 = (double)f32;
    } else if (type == HD_F64) {
        memcpy(&v.f64, from, sizeof v.f64);
    }
    return v;
}

/* As a float, rounded once: 64-bit integers are not rounded to f64 on the way to f32. */
static void put_real(hd_type type, any_value v, unsigned char *to)
{
    const double value = v.real ? v.f64 : v.negative ? -(double)v.magnitude : (double)v.magnitude;
    const float f32 = v.real ? (float)v.f64 : v.negative ? -(float)v.magnitude : (float)v.magnitude;
    const uint16_t f16 = hd_f16_bits(hd_f16_from_f64(value)); /* integers of f16 are exact */

    memcpy(to,
           type == HD_F64   ? (const void *)&value
           : type == HD_F32 ? (const void *)&f32
                            : (const void *)&f16,
           hd_type_bytes(type));
}

/* Whether the rounded float equals the value. */
static bool is_same(any_value v, double rounded)
{
    if (v.real)
        return !(v.f64 < rounded) && !(v.f64 > rounded);
    return fabs(rounded) < 0x1p64 && (uint64_t)fabs(rounded) == v.magnitude;
}

/* Converts a float that is an integer of at most 64 bits to that integer. */
static bool to_integer(any_value *v)
{
    double magnitude = fabs(v->f64);

    if (!v->real)
        return true;
    if (!(magnitude < 0x1p64) || magnitude != floor(magnitude))
        return false;
    v->magnitude = (uint64_t)magnitude;
    v->negative = v->f64 < 0;
    return true;
}

/* False if the value does not fit an integer type. */
static bool put_value(hd_type type, any_value v, unsigned char *to)
{
    unsigned bits = 8 * (unsigned)hd_type_bytes(type);
    bool is_signed = cli_type_kind(type) == GENERATE_SIGNED;
    uint64_t largest = UINT64_MAX >> (64 - bits + is_signed), low;

    if (cli_type_kind(type) == GENERATE_FLOAT) {
        put_real(type, v, to);
        return true;
    }
    if (!to_integer(&v) || v.magnitude > largest + (v.negative ? 1 : 0) ||
        (v.negative && !is_signed && v.magnitude))
        return false;
    low = v.negative ? 0 - v.magnitude : v.magnitude;
    memcpy(to, &low, bits / 8);
    return true;
}

/* Bits of the largest range of integers that a type represents exactly. */
static unsigned whole_bits(hd_type type)
{
    return type == HD_F16   ? 11
           : type == HD_F32 ? 24
           : type == HD_F64 ? 53
                            : 8 * (unsigned)hd_type_bytes(type);
}

bool cli_type_holds(hd_type to, hd_type from)
{
    if (cli_type_kind(from) == GENERATE_FLOAT || cli_type_kind(to) == cli_type_kind(from))
        return cli_type_kind(to) == cli_type_kind(from) && hd_type_bytes(to) >= hd_type_bytes(from);
    return cli_type_kind(to) != GENERATE_UNSIGNED && whole_bits(to) > whole_bits(from);
}

/* Rounding is always reported, also to a type that the user asked for. */
static void note_rounding(const cli_arguments *arguments, const cli_array *array, hd_type to,
                          size_t rounded)
{
    if (rounded)
        cli_note(arguments->command, "%s: %zu of %zu numbers are rounded from %s to %s",
                 array->from, rounded, array->n, hd_type_name(array->type), hd_type_name(to));
}

int cli_array_convert(const cli_arguments *arguments, cli_array *array, hd_type to)
{
    size_t from_bytes = hd_type_bytes(array->type), to_bytes = hd_type_bytes(to);
    const bool rounds = cli_type_kind(to) == GENERATE_FLOAT && !cli_type_holds(to, array->type);
    const unsigned char *from = array->data;
    size_t rounded = 0;
    unsigned char *made;

    if (array->type == to)
        return CLI_DONE;
    made = cli_elements(array->n, to);
    if (!made)
        return cli_array_no_memory(arguments, array->n, to);
    for (size_t i = 0; i < array->n; i++) {
        any_value v = get_value(array->type, from + i * from_bytes);
        bool fits = put_value(to, v, made + i * to_bytes);

        if (rounds)
            rounded += !is_same(v, get_value(to, made + i * to_bytes).f64);
        if (fits)
            continue;
        free(made);
        if (v.real)
            return cli_failed(arguments->command,
                              "%s: element %zu cannot be represented as %s: %.17g", array->from, i,
                              hd_type_name(to), v.f64);
        return cli_failed(arguments->command,
                          "%s: element %zu cannot be represented as %s: %s%" PRIu64, array->from, i,
                          hd_type_name(to), v.negative ? "-" : "", v.magnitude);
    }
    note_rounding(arguments, array, to, rounded);
    free(array->data);
    array->data = made;
    array->type = to;
    return CLI_DONE;
}

int cli_array_to_flags(const cli_arguments *arguments, cli_array *array)
{
    const size_t size = hd_type_bytes(array->type);
    const unsigned char *from = array->data;
    uint8_t *made = cli_elements(array->n, HD_U8);

    if (!made)
        return cli_array_no_memory(arguments, array->n, HD_U8);
    for (size_t i = 0; i < array->n; i++) {
        const any_value v = get_value(array->type, from + i * size);

        made[i] = v.real ? !(v.f64 == 0) : v.magnitude != 0;
    }
    free(array->data);
    array->data = made;
    array->type = HD_U8;
    return CLI_DONE;
}
