/* SPDX-License-Identifier: Apache-2.0 */
/* array_write.c - writes arrays as CSV or TSV tables, or as .npy files. */
#include "array_write.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <heddle/device/half.h>

#include "base/replace.h"
#include "message.h"
#include "npy_write.h"
#include "suffix.h"

typedef struct table {
    const unsigned char *data;
    hd__io_type type;
    uint64_t rows, columns;
    char delimiter;
} table;

static void put_real(FILE *stream, double value, int digits)
{
    if (isnan(value))
        (void)fputs("nan", stream);
    else
        (void)fprintf(stream, "%.*g", digits, value);
}

static void put_float(FILE *stream, hd__io_type type, const unsigned char *from)
{
    hd_f16 f16;
    float f32;
    double f64;

    if (type == HD__IO_F16) {
        memcpy(&f16, from, sizeof f16);
        put_real(stream, (double)hd_f16_to_f32(f16), 5);
    } else if (type == HD__IO_F32) {
        memcpy(&f32, from, sizeof f32);
        put_real(stream, (double)f32, 9);
    } else {
        memcpy(&f64, from, sizeof f64);
        put_real(stream, f64, 17);
    }
}

/* The bytes of a narrower type are the low bytes of 64 bits; signed values are sign-extended. */
static void put_number(FILE *stream, hd__io_type type, const unsigned char *from)
{
    const unsigned bits = 8 * (unsigned)hd__io_type_size(type);
    uint64_t value = 0;

    if (type >= HD__IO_F16) {
        put_float(stream, type, from);
        return;
    }
    memcpy(&value, from, bits / 8);
    if (type < HD__IO_I8) {
        (void)fprintf(stream, "%" PRIu64, value);
        return;
    }
    if (bits < 64 && value >> (bits - 1))
        value |= UINT64_MAX << bits;
    (void)fprintf(stream, "%" PRId64, (int64_t)value);
}

static int write_table(FILE *stream, void *state)
{
    const table *t = state;
    const size_t size = hd__io_type_size(t->type);
    const unsigned char *at = t->data;

    for (uint64_t row = 0; row < t->rows && !ferror(stream); row++)
        for (uint64_t column = 0; column < t->columns; column++, at += size) {
            put_number(stream, t->type, at);
            (void)fputc(column + 1 < t->columns ? t->delimiter : '\n', stream);
        }
    return ferror(stream) ? -1 : 0;
}

int hd__array_write(const char *path, hd__io_type type, size_t axes, const uint64_t *shape,
                    const void *data, char message[HD__IO_MESSAGE])
{
    table t = {data, type, axes > 0 ? shape[0] : 1, axes > 1 ? shape[1] : 1, ','};
    char name[HD__IO_NAME];

    if (hd__io_ends_with(path, ".tsv"))
        t.delimiter = '\t';
    else if (!hd__io_ends_with(path, ".csv"))
        return hd__npy_write(path, type, axes, shape, data, message);
    hd__io_printable_path(path, name, sizeof name);
    if (axes > 2)
        return hd__io_fail(message, HD__IO_ERR_ARGUMENT, name,
                           "a table has one or two axes, not %zu; write a .npy file", axes);
    if (hd__replace_file(path, write_table, &t) != 0)
        return hd__io_fail(message, HD__IO_ERR_FILE, name, "%s",
                           errno ? strerror(errno) : "write error");
    return 0;
}
