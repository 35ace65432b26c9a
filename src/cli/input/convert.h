/* SPDX-License-Identifier: Apache-2.0 */
/* convert.h - converts element types of arrays in host memory. */
#ifndef HEDDLE_CLI_INPUT_CONVERT_H
#define HEDDLE_CLI_INPUT_CONVERT_H

#include "array.h"

/* GENERATE_FLOAT, GENERATE_SIGNED or GENERATE_UNSIGNED. */
int cli_type_kind(hd_type type);
/* Whether type `to` represents every value of type `from`. */
bool cli_type_holds(hd_type to, hd_type from);
/* Memory for n elements, aligned for vectors; the caller frees it. NULL without memory. */
void *cli_elements(size_t n, hd_type type);
/* Reports that there is no memory for n elements; returns the exit status. */
int cli_array_no_memory(const cli_arguments *arguments, size_t n, hd_type type);

/* Converts the array to type `to`. If an integer does not fit, the command fails and names the
   first such element; floats are rounded to nearest, and a note says how many were. On failure the
   array is unchanged. */
int cli_array_convert(const cli_arguments *arguments, cli_array *array, hd_type to);
/* Converts the array to u8: 1 for every element that is not 0. */
int cli_array_to_flags(const cli_arguments *arguments, cli_array *array);

#endif
