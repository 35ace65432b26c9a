/* SPDX-License-Identifier: Apache-2.0 */
/* hold.c - holds threads in the middle of an access so that other threads run first.

   A thread is held before it raises a flag: at the first atomic store or exchange by each
   instruction in a launch. A thread that polls the flag in a loop then finds it unset, whichever of
   the two ran first. A loop that seems to poll is held until another thread has changed the memory
   that it reads (polling.c).

   A held thread is parked like one in hd_wait_*. It continues when no other thread can. */
#include "check/check.h"

enum {
    RAISES = HD_CPU_WAIT_HELD | HD_CPU_WAIT_NE,
    POLLS = HD_CPU_WAIT_HELD | HD_CPU_WAIT_EQ,
    KIND = HD_CPU_WAIT_HELD | HD_CPU_WAIT_HOW,
    BYTES_SHIFT = 16 /* in `how`, after the kind: number of bytes that a loop reads */
};

/* Maximum launches in which a thread is held at a place: more would find nothing new. */
enum { LAUNCHES = 4, PLACES = 256 };

static struct place {
    uintptr_t pc;
    unsigned launches;
} places[PLACES];

static const hd_cpu_place nowhere = {"", "an access", 0};

/* While this thread is held, the variables of the kernel's file belong to other threads. */
static void hold(uintptr_t address, uint64_t value, unsigned how)
{
    hd_check_now *now = &hd_check_me;
    hd_cpu_resident *block = now->block;
    const unsigned linear = now->linear, scope = now->scope;
    hd_cpu_fiber_switch to;

    block->wait[linear].seen = block->view.out[linear]; /* written back there when the wait ends */
    to = hd_cpu_arrive_wait(&block->view, linear, (const void *)address, value, how, &nowhere);
    if (to.load)
        hd_cpu_switch(to.save, to.load);
    hd_cpu_check_thread(&block->view, linear);
    now->scope = scope;
    block->check->again(&block->view, linear);
}

static void raises(uintptr_t address, uintptr_t pc)
{
    hd_check_op *op = hd_check_me.check->op;
    struct place *place = &places[(pc ^ pc >> 8) % PLACES];

    if (place->pc != pc)
        *place = (struct place){pc, 0};
    if (hd_check_replaying || place->launches == LAUNCHES)
        return;
    for (unsigned i = 0; i < op->raise_count; i++)
        if (op->raise[i] == pc)
            return;
    if (op->raise_count == HD_CHECK_RAISES)
        return;
    op->raise[op->raise_count++] = pc;
    place->launches++;
    hold(address, 0, RAISES);
}

int hd_check_hold_poll(uintptr_t address, size_t bytes)
{
    const uint64_t before = hd_check_content(address, bytes);

    hold(address, before, POLLS | (unsigned)bytes << BYTES_SHIFT);
    return hd_check_content(address, bytes) != before;
}

/* ---- release --------------------------------------------------------------------------------- */

/* hd_check_hold_ends sets `until`. */
int hd_check_hold_over(const hd_cpu_waiter *waiter)
{
    if (waiter->until > 0)
        return 1;
    return (waiter->how & KIND) == POLLS &&
           hd_check_content((uintptr_t)waiter->address, waiter->how >> BYTES_SHIFT) !=
               waiter->value;
}

/* A thread of the block held for that reason, at the address unless it is 0; NULL: none. */
static hd_cpu_waiter *held(hd_cpu_resident *block, unsigned kind, uintptr_t address)
{
    for (unsigned i = 0; block->waiting && i < block->warps; i++) {
        for (uint64_t left = block->warp[i].waiting; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(left);
            hd_cpu_waiter *w = &block->wait[(i << block->shift) + lane];

            if ((w->how & KIND) == kind && (!address || (uintptr_t)w->address == address))
                return w;
        }
    }
    return NULL;
}

static hd_cpu_waiter *held_in(hd_cpu_resident *list, unsigned kind, uintptr_t address)
{
    hd_cpu_waiter *w = NULL;

    for (hd_cpu_resident *block = list; block && !w; block = block->next)
        w = held(block, kind, address);
    return w;
}

static hd_cpu_waiter *held_by(const hd_cpu_worker *worker, unsigned kind, uintptr_t address)
{
    hd_cpu_waiter *w = held_in(worker->parked, kind, address);

    return w ? w : held_in(worker->unvisited, kind, address);
}

int hd_check_held_raise(uintptr_t address)
{
    return held(hd_check_me.block, RAISES, address) ||
           held_by(hd_check_me.block->worker, RAISES, address);
}

int hd_check_hold_ends(const hd_cpu_worker *worker)
{
    hd_cpu_waiter *w = held_by(worker, RAISES, 0);

    if (!w)
        w = held_by(worker, POLLS, 0);
    if (w)
        w->until = 1;
    return w != NULL;
}

void hd_check_hold_start(void)
{
    hd_check_raises = raises;
}
