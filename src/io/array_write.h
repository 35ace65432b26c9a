/* SPDX-License-Identifier: Apache-2.0 */
/* array_write.h - writes arrays in the format that the file's name selects. */
#ifndef HEDDLE_IO_ARRAY_WRITE_H
#define HEDDLE_IO_ARRAY_WRITE_H

#include <stdint.h>

#include "type.h"

/* Writes an array in C order: a name that ends with .csv or .tsv gives a table without a header,
   one row per index of the first axis (at most two axes); any other name a .npy file. Floats have
   enough digits to be read back exactly (f16 5, f32 9, f64 17). An existing file is replaced once
   the new one is complete. 0, or HD__IO_ERR_FILE or HD__IO_ERR_ARGUMENT with the message set. */
int hd__array_write(const char *path, hd__io_type type, size_t axes, const uint64_t *shape,
                    const void *data, char message[HD__IO_MESSAGE]);

#endif
