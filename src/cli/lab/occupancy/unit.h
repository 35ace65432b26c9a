/* SPDX-License-Identifier: Apache-2.0 */
/* unit.h - what a compute unit of the devices of docs/lab-references.md holds, and how many blocks
   of a kernel are resident on it. */
#ifndef HEDDLE_CLI_LAB_OCCUPANCY_UNIT_H
#define HEDDLE_CLI_LAB_OCCUPANCY_UNIT_H

#include <stdint.h>

#include "cli/lab/experiment/references.h"

/* A compute unit has four partitions, each with registers of its own: 512 for every lane of a warp,
   which warps get in multiples of 8. */
typedef struct unit {
    unsigned warp;    /* threads */
    unsigned warps;   /* of a partition at most */
    unsigned blocks;  /* of the unit at most */
    unsigned threads; /* of a block at most */
    unsigned
        scalars; /* registers of a partition that the lanes of a warp share; 0: any number fits */
    unsigned scalars_step;
    uint64_t shared, shared_step; /* bytes of the unit; a block gets a multiple of shared_step */
    uint64_t shared_own;          /* bytes that the system adds to each block's */
} unit;

enum { UNIT_PARTITIONS = 4, UNIT_REGISTERS = 512, UNIT_REGISTERS_STEP = 8 };

const unit *unit_find(lab_device device);

/* What a block needs. */
typedef struct unit_block {
    unsigned threads;
    unsigned registers; /* per thread; 0: not known, any number fits */
    unsigned scalars;   /* per warp; 0: none, or not known */
    uint64_t shared;    /* static and dynamic bytes */
} unit_block;

/* Resident blocks of one unit; *limit_out becomes what allows no more: "warps", "blocks",
   "registers", "shared memory", "block size". */
unsigned unit_blocks(const unit *u, const unit_block *block, const char **limit_out);
/* Resident warps divided by the warps that the unit can hold. */
double unit_share(const unit *u, const unit_block *block, unsigned blocks);

#endif
