/* SPDX-License-Identifier: Apache-2.0 */
/* shipped.c - choices for devices that were measured with `heddle tune`, where they gain 3 % or
   more over the drivers' own. `heddle tune all --rows` prints rows in this form. The first row is a
   sentinel, because an array in C has an element. */
#include "table.h"

const hd__tune_shipped_row hd__tune_shipped[] = {
    /* device, family, type/kind, bucket, values of the knobs */
    {"", "", "", 0, {{0}}},
    {"NVIDIA H100 80GB HBM3", "scan", "f64/plain", 10, {{1, 2, 0}}},     /* 1.035 */
    {"NVIDIA H100 80GB HBM3", "scan", "f64/segments", 9, {{3, 2, 0}}},   /* 1.087 */
    {"NVIDIA H100 80GB HBM3", "sort", "4/keys", 7, {{0, 1024, 4, 0}}},   /* 1.054 */
    {"NVIDIA H100 80GB HBM3", "sort", "4/pairs4", 7, {{0, 1024, 4, 0}}}, /* 1.049 */
    {"NVIDIA H100 80GB HBM3", "sort", "4/pairs8", 7, {{0, 1024, 4, 0}}}, /* 1.049 */
    {"NVIDIA H100 80GB HBM3", "sort", "8/pairs8", 11, {{0, 0, 0, 99}}},  /* 1.048 */
    {"NVIDIA H100 80GB HBM3", "sort", "8/pairs8", 12, {{0, 0, 0, 99}}},  /* 1.084 */
};
const size_t hd__tune_shipped_count = sizeof hd__tune_shipped / sizeof *hd__tune_shipped;
