/* SPDX-License-Identifier: Apache-2.0 */
/* lint.c - portability: launches, masks and barriers that work here but may fail on other GPUs. */
#include "observe.h"
#include "check/check.h"

#include <stdio.h>
#include <string.h>

enum {
    WAVEFRONT = 64,           /* the largest warp size */
    SHARED_OPT_IN = 48 << 10, /* more needs an opt-in on some GPUs */
    SHARED_MAX = 64 << 10,    /* available on every GPU */
    ROWS_MAX = 65535
};

/* ---- launches -------------------------------------------------------------------------------- */

static hd_check_finding about_launch(hd_check_code code, const hd_check_op *op)
{
    hd_check_finding f;

    memset(&f, 0, sizeof f);
    f.code = code;
    f.side[0].verb = "is made";
    f.side[0].op = op;
    f.side[0].thread = ~0u;
    return f;
}

static unsigned threads_of(const hd_check_op *op)
{
    return op->block.x * op->block.y * op->block.z;
}

/* A single thread is sequential work, not an unsuitable block size. */
static void lint_block(const hd_check_op *op)
{
    unsigned threads = threads_of(op);
    hd_check_finding f;

    if (threads % WAVEFRONT == 0 || threads == 1)
        return;
    f = about_launch(HD_CHECK_BLOCK_64, op);
    (void)snprintf(f.detail, sizeof f.detail,
                   "blocks of %u threads: the last wavefront of 64 has %u", threads,
                   threads % WAVEFRONT);
    hd_check_report(&f);
}

/* A block uses that many bytes, static and dynamic. Not reported if the program has queried the
   device's limit. */
static void lint_shared(const hd_check_op *op, size_t bytes)
{
    hd_check_finding f;

    if (bytes <= SHARED_OPT_IN || op->sized)
        return;
    f = about_launch(bytes > SHARED_MAX ? HD_CHECK_SHARED_64K : HD_CHECK_SHARED_48K, op);
    (void)snprintf(f.detail, sizeof f.detail, "%zu bytes per block, static and dynamic", bytes);
    hd_check_report(&f);
}

void hd_check_lint_launch(const hd_check_op *op)
{
    lint_block(op);
    lint_shared(op, op->shared_bytes);
}

void hd_check_shared_used(const hd_cpu_resident *block)
{
    lint_shared(block->check->op, block->static_bytes + block->launch->shared_bytes);
}

/* Reports launches that no vendor accepts; for a refused launch, in addition to its error. */
static void lint_bounds(const hd_check_op *op)
{
    hd_check_finding f = about_launch(HD_CHECK_LAUNCH_BOUNDS, op);
    uint64_t threads = (uint64_t)op->block.x * op->block.y * op->block.z;
    unsigned most = hd_cpu_max_threads(op->kernel);

    if (!threads || !op->grid.x || !op->grid.y || !op->grid.z)
        return;
    if (threads > HD_CPU_MAX_THREADS)
        (void)snprintf(f.detail, sizeof f.detail,
                       "%llu threads per block, at most 1024 are possible",
                       (unsigned long long)threads);
    else if (threads > most)
        (void)snprintf(f.detail, sizeof f.detail,
                       "%llu threads per block, the kernel's own bounds allow %u",
                       (unsigned long long)threads, most);
    else if (op->grid.y > ROWS_MAX || op->grid.z > ROWS_MAX)
        (void)snprintf(f.detail, sizeof f.detail,
                       "%u blocks in y, %u in z, at most %d are possible", op->grid.y, op->grid.z,
                       ROWS_MAX);
    else if (op->shared_bytes <= SHARED_MAX)
        (void)snprintf(f.detail, sizeof f.detail, "a grid of %u x %u x %u blocks of %u x %u x %u",
                       op->grid.x, op->grid.y, op->grid.z, op->block.x, op->block.y, op->block.z);
    else
        return;
    hd_check_report(&f);
}

void hd_check_lint_refused(const hd_kernel *kernel, const hd_launch_config *config)
{
    hd_check_op op;

    hd_check_launch_failed();
    if (hd_cpu_ready("hd_launch") < 0)
        return;
    memset(&op, 0, sizeof op);
    op.kernel = kernel;
    op.what = "hd_launch";
    op.grid = config->grid;
    op.block = config->block;
    op.shared_bytes = config->shared_bytes;
    hd_check_stack(op.stack);
    lint_bounds(&op);
    lint_shared(&op, op.shared_bytes);
}

/* ---- collectives ----------------------------------------------------------------------------- */

static hd_check_finding about_place(hd_check_code code, const hd_cpu_resident *block,
                                    unsigned linear, const hd_cpu_place *place)
{
    const hd_check_block *b = block->check;
    hd_check_finding f;

    memset(&f, 0, sizeof f);
    f.code = code;
    f.side[0].verb = place->what;
    f.side[0].op = b->op;
    f.side[0].block = b->serial - b->op->serial;
    f.side[0].thread = linear;
    f.side[0].file = place->file;
    f.side[0].line = place->line;
    return f;
}

/* A lane of the upper half calls with a mask of lower lanes only: the mask was built for warps of
   32 lanes, or truncated to 32 bits. */
void hd_check_lint_mask(const hd_cpu_resident *block, unsigned linear, uint64_t mask,
                        const hd_cpu_place *place)
{
    unsigned lane = linear & block->lane_mask;
    hd_check_finding f;

    if (lane < 32 || mask >> 32 || !mask)
        return;
    f = about_place(HD_CHECK_MASK_32BIT, block, linear, place);
    (void)snprintf(f.detail, sizeof f.detail,
                   "lane %u calls with the mask %#llx, whose upper half is empty", lane,
                   (unsigned long long)mask);
    hd_check_report(&f);
}
