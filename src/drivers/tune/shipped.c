/* SPDX-License-Identifier: Apache-2.0 */
/* shipped.c - choices for devices that were measured with `heddle tune`, where they gain 3 % or
   more over the drivers' own. `heddle tune all --rows` prints rows in this form. The first row is a
   sentinel, because an array in C has an element. */
#include "table.h"

const hd__tune_shipped_row hd__tune_shipped[] = {
    /* device, family, type/kind, bucket, values of the knobs */
    {"", "", "", 0, {{0}}},
};
const size_t hd__tune_shipped_count = sizeof hd__tune_shipped / sizeof *hd__tune_shipped;
