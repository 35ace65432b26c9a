/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header of a .npy file: format 1.0, 2.0 and 3.0 of the NumPy documentation (numpy.lib.format).
 * The header is a Python dict as text; it is parsed by hand, strictly, and never evaluated.
 */
#ifndef HEDDLE_IO_NPY_H
#define HEDDLE_IO_NPY_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "type.h"

typedef struct hd__npy {
    hd__io_type type;
    bool fortran_order;
    size_t axes;
    uint64_t shape[HD__IO_MAX_AXES];
    uint64_t count;
    uint64_t data; /* offset of the first element */
} hd__npy;

/* Whether the bytes are the magic of a .npy file. */
bool hd__npy_is_magic(const unsigned char *bytes, size_t size);

/* Reads the header and checks that the rest of the file holds exactly the elements that it
   describes. The next byte is the first of them. */
int hd__npy_open(hd__bytes *bytes, hd__npy *npy_out, char *message);

#endif
