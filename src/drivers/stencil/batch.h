/* SPDX-License-Identifier: Apache-2.0 */
/* batch.h (drivers) - settings for tests of hd_batch_heat. */
#ifndef HEDDLE_DRIVERS_STENCIL_BATCH_H
#define HEDDLE_DRIVERS_STENCIL_BATCH_H

#include <heddle/batch.h>

/* Blocks have the GPU's number of threads even if these run one after another. */
extern int hd__batch_force_threads;
/* Limit on blocks, each of which then computes several problems; 0: the limit of a launch. */
extern unsigned hd__batch_force_blocks;

#endif
