/* SPDX-License-Identifier: Apache-2.0 */
/* policy.c - the schedule: by a seed, the start order of blocks and threads, and which runnable
   threads are preempted. */
#include "check/check.h"

#include <limits.h>

static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* A permutation: steps through the blocks by a step coprime to their number. */
size_t hd_check_block_at(const hd_cpu_launch *launch, size_t index)
{
    size_t n = launch->blocks, step, a, b;
    uint64_t draw;

    if (!hd_check_options.seed || n < 2)
        return index;
    draw = mixed(hd_check_options.seed ^ mixed(launch->op->check->number));
    step = 1 + (size_t)(draw >> 32) % (n < 1u << 20 ? n : 1u << 20);
    for (;; step++) {
        for (a = n, b = step; b;) {
            size_t rest = a % b;

            a = b;
            b = rest;
        }
        if (a == 1)
            break;
    }
    return (index % n * (step % n) + (size_t)(uint32_t)draw % n) % n;
}

void hd_check_order_threads(hd_cpu_resident *block, hd_check_block *b)
{
    uint64_t draw = mixed(hd_check_options.seed ^ mixed(b->serial));
    unsigned size = block->view.dims.warp_size, at = 0;
    uint8_t warps[HD_CPU_MAX_WARPS];

    for (unsigned w = 0; w < block->warps; w++)
        warps[w] = (uint8_t)w;
    for (unsigned w = block->warps; hd_check_options.seed && w > 1; w--) {
        unsigned other = (unsigned)(mixed(draw + w) % w);
        uint8_t kept = warps[w - 1];

        warps[w - 1] = warps[other];
        warps[other] = kept;
    }
    for (unsigned w = 0; w < block->warps; w++) {
        unsigned base = warps[w] * size;
        unsigned lanes = block->threads - base < size ? block->threads - base : size;
        int down = hd_check_options.seed && (draw >> (w & 63)) & 1;

        for (unsigned lane = 0; lane < lanes; lane++)
            b->order[at++] = (uint16_t)(base + (down ? lanes - 1 - lane : lane));
    }
}

unsigned hd_check_thread_at(const hd_cpu_resident *block, unsigned at)
{
    return block->check->order[at];
}

/* With a seed: preempts at one suspension in four. */
static unsigned preempt_warp(const hd_cpu_resident *block)
{
    static uint64_t turns;
    uint64_t draw;

    if (!hd_check_options.seed)
        return 0;
    draw = mixed(hd_check_options.seed ^ mixed(++turns) ^ block->check->serial);
    return draw & 3 ? 0 : (unsigned)(draw >> 32) | 1u;
}

/* With a seed: a short preemption at one suspension in 128; and at the block's n-th suspension,
   with a chance of 1 in 8 n, one that lasts as long as others can continue, so that the block may
   fall far behind at any point of its execution. */
static unsigned preempt_block(hd_cpu_resident *block)
{
    static uint64_t turns;
    uint64_t draw;

    if (!hd_check_options.seed)
        return 0;
    draw = mixed(~hd_check_options.seed ^ mixed(++turns) ^ block->check->serial);
    if ((draw >> 32) % (8 * ++block->check->suspensions) == 0)
        return UINT_MAX;
    return draw & 127 ? 0 : 1 + (unsigned)(draw >> 7) % 8;
}

unsigned hd_check_preempt(hd_cpu_resident *block, hd_cpu_preemption which)
{
    return which == HD_PREEMPT_BLOCK ? preempt_block(block) : preempt_warp(block);
}
