/* SPDX-License-Identifier: Apache-2.0 */
/* batch.h (drivers) - what tests of hd_batch_heat reach. */
#ifndef HEDDLE_DRIVERS_STENCIL_BATCH_H
#define HEDDLE_DRIVERS_STENCIL_BATCH_H

#include <heddle/batch.h>

/* Blocks have as many threads everywhere as where those run at once. */
extern int hd__batch_force_threads;
/* At most so many blocks, each of which does several problems; 0: as many as a launch may have. */
extern unsigned hd__batch_force_blocks;

#endif
