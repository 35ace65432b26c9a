/* SPDX-License-Identifier: Apache-2.0 */
/* pieces.h - in how many aligned pieces of memory (sectors, lines) addresses fall. */
#ifndef HEDDLE_CLI_LAB_MEMORY_PIECES_H
#define HEDDLE_CLI_LAB_MEMORY_PIECES_H

#include <stddef.h>

enum { LAB_LANES_MAX = 64, LAB_SECTOR = 32, LAB_HALF_LINE = 64, LAB_LINE = 128 };

void lab_addresses_sort(size_t *addresses, size_t count);
/* Number of aligned pieces of `size` bytes in which the sorted addresses fall; count is not 0. They
   are those of elements that are aligned to their size, so that each lies in one piece. */
double lab_pieces(const size_t *addresses, size_t count, size_t size);

#endif
