/* SPDX-License-Identifier: Apache-2.0 */
/* poll.c - checks the conditions of parked threads. */
#include "block/block.h"
#include "observe.h"

/* Maximum time that hd_try_wait_* waits: long enough that a timeout costs little in comparison,
   even with every access checked. A launch whose blocks only time out must still be recognised as
   waiting. */
const double hd_cpu_try_seconds = HD_OBSERVED ? 2e-2 : 1e-3;

static uint64_t look(const hd_cpu_waiter *w)
{
    if (w->how & HD_CPU_WAIT_WIDE)
        return __atomic_load_n((const uint64_t *)w->address, __ATOMIC_ACQUIRE);
    return __atomic_load_n((const uint32_t *)w->address, __ATOMIC_ACQUIRE);
}

static int not_below(const hd_cpu_waiter *w)
{
    if (!(w->how & HD_CPU_WAIT_SIGNED))
        return w->seen >= w->value;
    if (w->how & HD_CPU_WAIT_WIDE)
        return (int64_t)w->seen >= (int64_t)w->value;
    return (int32_t)w->seen >= (int32_t)w->value;
}

static int is_over(hd_cpu_waiter *w)
{
    unsigned compare = w->how & HD_CPU_WAIT_HOW;

    if (HD_OBSERVED && w->how & HD_CPU_WAIT_HELD)
        return HD_OBSERVE_OR(0, schedule.hold_over(w));
    w->seen = look(w);
    if (compare == HD_CPU_WAIT_GE)
        return not_below(w);
    return (w->seen == w->value) == (compare == HD_CPU_WAIT_EQ);
}

static int gives_up(const hd_cpu_waiter *w)
{
    return (w->how & HD_CPU_WAIT_TRY) && hd_cpu_now() >= w->until;
}

unsigned hd_cpu_waits_poll(hd_cpu_resident *block, int may_give_up)
{
    unsigned over = 0;

    for (unsigned i = 0; i < block->warps; i++) {
        hd_cpu_warp *warp = &block->warp[i];

        for (uint64_t left = warp->waiting; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(left);
            unsigned linear = (i << block->shift) + lane;

            if (!is_over(&block->wait[linear]) && !(may_give_up && gives_up(&block->wait[linear])))
                continue;
            block->view.out[linear] = block->wait[linear].seen;
            warp->waiting &= ~((uint64_t)1 << lane);
            warp->ready |= (uint64_t)1 << lane;
            block->ready_warps |= 1u << i;
            over++;
        }
    }
    block->waiting -= over;
    return over;
}

int hd_cpu_any_held(const hd_cpu_resident *block)
{
    for (unsigned i = 0; HD_OBSERVED && i < block->warps; i++)
        for (uint64_t left = block->warp[i].waiting; left; left &= left - 1)
            if (block->wait[(i << block->shift) + (unsigned)__builtin_ctzll(left)].how &
                HD_CPU_WAIT_HELD)
                return 1;
    return 0;
}
