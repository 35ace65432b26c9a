/* SPDX-License-Identifier: Apache-2.0 */
/* Parses numbers in the format of the C locale, whatever the program's locale is. */
#ifndef HEDDLE_IO_NUMBER_H
#define HEDDLE_IO_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum hd__number_result {
    HD__NUMBER_OK,
    HD__NUMBER_BAD,  /* not a number */
    HD__NUMBER_RANGE /* out of the type's range */
} hd__number_result;

/* The double nearest to a decimal or hexadecimal number, nan, inf or infinity in any case. Spaces
   are not allowed. text[length] must be writable; it is modified temporarily. A number too large
   for f64 is out of range; one too small is rounded. */
hd__number_result hd__number_f64(char *text, size_t length, double *value_out);

/* Decimal integers with an optional sign, exact. */
hd__number_result hd__number_i64(const char *text, size_t length, int64_t *value_out);
hd__number_result hd__number_u64(const char *text, size_t length, uint64_t *value_out);

/* Whether the text is a 64-bit integer that differs from `value`, the nearest double. */
bool hd__number_is_rounded(const char *text, size_t length, double value);

#endif
