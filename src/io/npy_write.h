/* SPDX-License-Identifier: Apache-2.0 */
/* Writes arrays as .npy files, format 1.0 of the NumPy documentation (numpy.lib.format). */
#ifndef HEDDLE_IO_NPY_WRITE_H
#define HEDDLE_IO_NPY_WRITE_H

#include <stdint.h>

#include "type.h"

/* Writes an array in C order to `path`. An existing file is replaced once the new one is complete.
   0, or HD__IO_ERR_FILE or HD__IO_ERR_ARGUMENT with the message set. */
int hd__npy_write(const char *path, hd__io_type type, size_t axes, const uint64_t *shape,
                  const void *data, char message[HD__IO_MESSAGE]);

#endif
