/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c - limits of compute units, and the blocks that fit. */
#include "unit.h"

#include <stddef.h>

/* Compute capability 9.0: a block's shared memory is 1 KiB larger than what its kernel asks for. */
static const unit hopper = {.warp = 32,
                            .warps = 16,
                            .blocks = 32,
                            .threads = 1024,
                            .shared = 228 << 10,
                            .shared_step = 128,
                            .shared_own = 1 << 10};
/* gfx90a and gfx942. */
static const unit cdna = {.warp = 64,
                          .warps = 8,
                          .blocks = 32,
                          .threads = 1024,
                          .scalars = 800,
                          .scalars_step = 16,
                          .shared = 64 << 10,
                          .shared_step = 512};

const unit *unit_find(lab_device device)
{
    switch (device) {
    case LAB_H100_PCIE:
    case LAB_H100:
    case LAB_H200:
        return &hopper;
    default:
        return &cdna;
    }
}

static uint64_t rounded(uint64_t value, uint64_t step)
{
    return (value + step - 1) / step * step;
}

static unsigned warps_of(const unit *u, const unit_block *block)
{
    return (block->threads + u->warp - 1) / u->warp;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Warps whose registers fit into the partitions. */
static unsigned warps_by_registers(const unit *u, const unit_block *block)
{
    unsigned warps = u->warps;

    if (block->registers)
        warps = least(warps,
                      UNIT_REGISTERS / (unsigned)rounded(block->registers, UNIT_REGISTERS_STEP));
    if (block->scalars && u->scalars)
        warps = least(warps, u->scalars / (unsigned)rounded(block->scalars, u->scalars_step));
    return UNIT_PARTITIONS * warps;
}

static uint64_t blocks_by_shared(const unit *u, const unit_block *block)
{
    const uint64_t bytes = rounded(block->shared + u->shared_own, u->shared_step);

    return bytes ? u->shared / bytes : u->blocks;
}

unsigned unit_blocks(const unit *u, const unit_block *block, const char **limit_out)
{
    const unsigned warps = warps_of(u, block);
    unsigned blocks = 0;

    *limit_out = "block size";
    if (warps == 0 || block->threads > u->threads)
        return 0;
    blocks = UNIT_PARTITIONS * u->warps / warps;
    *limit_out = "warps";
    if (u->blocks < blocks) {
        blocks = u->blocks;
        *limit_out = "blocks";
    }
    if (warps_by_registers(u, block) / warps < blocks) {
        blocks = warps_by_registers(u, block) / warps;
        *limit_out = "registers";
    }
    if (blocks_by_shared(u, block) < blocks) {
        blocks = (unsigned)blocks_by_shared(u, block);
        *limit_out = "shared memory";
    }
    return blocks;
}

double unit_share(const unit *u, const unit_block *block, unsigned blocks)
{
    return (double)blocks * warps_of(u, block) / (UNIT_PARTITIONS * u->warps);
}
