/* SPDX-License-Identifier: Apache-2.0 */
/* Text to numbers as the C locale writes them, whatever the program's locale is. */
#ifndef HEDDLE_IO_NUMBER_H
#define HEDDLE_IO_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum hd__number_result {
    HD__NUMBER_OK,
    HD__NUMBER_BAD,  /* the text is no number */
    HD__NUMBER_RANGE /* it is one that the type cannot hold */
} hd__number_result;

/* The nearest double of a decimal or hexadecimal number, nan, inf or infinity in any case. Spaces
   are not allowed. text[length] must be writable; it is changed for a moment and restored. A number
   too large for f64 is out of range; one too small is rounded. */
hd__number_result hd__number_f64(char *text, size_t length, double *value_out);

/* Decimal integers with an optional sign, exact. */
hd__number_result hd__number_i64(const char *text, size_t length, int64_t *value_out);
hd__number_result hd__number_u64(const char *text, size_t length, uint64_t *value_out);

/* Whether the text is an integer of 64 bits that `value`, the nearest double, is not. */
bool hd__number_is_rounded(const char *text, size_t length, double value);

#endif
