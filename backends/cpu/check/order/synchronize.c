/* SPDX-License-Identifier: Apache-2.0 */
/* synchronize.c - release and acquire. An address at which something was released is called a
   variable: a list of releases, each with the ticks and the knowledge that the releasing thread
   published. An acquiring thread keeps a reference to the releases that it has read.

   A release publishes also what the thread's block and warp did before their last barrier. Fences
   order the relaxed accesses after them (release) and before them (acquire), as in C11. */
#include "check/order/knowledge.h"

enum { GLIMPSES_MAX = 4 };

static void glimpse(uintptr_t address)
{
    hd_check_block *b = hd_check_me.check;
    const hd_check_record r = hd_check_record_of(hd_check_rare_at(address)->atomic);

    if (!r.serial || r.meta & HD_CHECK_READS || r.serial == b->serial)
        return;
    if (r.serial - b->op->serial >= b->op->blocks) {
        hd_check_sees(b->op, r.serial);
        return;
    }
    if (b->glimpses == GLIMPSES_MAX)
        return;
    for (unsigned i = 0; i < b->glimpses; i++)
        if (b->glimpsed[i] == address)
            return;
    b->glimpsed[b->glimpses++] = address;
}

/* Other blocks' atomics at many addresses are more likely a histogram than flags. */
int hd_check_saw_flag(void)
{
    const hd_check_block *b = hd_check_me.check;

    return b->glimpses && b->glimpses < GLIMPSES_MAX;
}

static void read_variable(uintptr_t address, unsigned scope, int acquires)
{
    hd_check_block *b = hd_check_me.check;
    struct hd_check_lane *lane = &b->lane[hd_check_me.linear];
    const hd_check_cell *cell = hd_check_cell_of(address);
    hd_check_variable *v;
    hd_check_ref ref;

    v = cell->write.meta & HD_CHECK_VARIABLE ? hd_check_variable_at(address) : NULL;
    if (!v || v->start == v->count || !acquires)
        glimpse(address);
    if (!v || v->start == v->count)
        return;
    ref = (hd_check_ref){v, v->start, v->count, b->serial, (uint16_t)scope, (int16_t)b->op->device};
    b->taught = 1;
    hd_check_learn(acquires ? &lane->knows : &lane->seen, &ref);
}

static void write_variable(uintptr_t address, unsigned scope, int releases, int replaces)
{
    hd_check_block *b = hd_check_me.check;
    const struct hd_check_lane *lane = &b->lane[hd_check_me.linear];
    const hd_check_cell *cell = hd_check_cell_of(address);
    hd_check_variable *v = NULL;

    if (releases || lane->fence)
        v = hd_check_variable_make(address);
    else if (replaces && cell->write.meta & HD_CHECK_VARIABLE)
        v = hd_check_variable_at(address);
    if (!v)
        return;
    if (replaces)
        v->start = v->count;
    if (releases) {
        hd_check_publish(v, scope, hd_check_tick(b), b->synced, b->warp[hd_check_me.warp].synced);
    } else if (lane->fence) {
        hd_check_publish(v, lane->fence_scope < scope ? lane->fence_scope : scope, lane->fence,
                         lane->fence_synced, lane->fence_warp);
    }
}

void hd_check_reads_variable(uintptr_t address, int order, unsigned scope)
{
    read_variable(address, scope, order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE);
}

void hd_check_writes_variable(uintptr_t address, int order, unsigned scope, int replaces)
{
    int releases = order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL ||
                   order == __ATOMIC_SEQ_CST;

    write_variable(address, scope, releases, replaces);
}

void hd_check_acquire(uintptr_t address, unsigned scope)
{
    if (hd_check_inside(address))
        read_variable(address, scope, 1);
}

/* Knowledge from relaxed reads takes effect at a fence, within the smaller scope. */
static void learn_seen(hd_check_knowledge *knows, const hd_check_knowledge *seen, unsigned scope)
{
    for (unsigned i = 0; i < seen->count; i++) {
        hd_check_ref ref = seen->refs[i];

        ref.scope = ref.scope < scope ? ref.scope : (uint16_t)scope;
        hd_check_learn(knows, &ref);
    }
    knows->all |= seen->all;
}

void hd_check_fence(unsigned scope)
{
    hd_check_block *b = hd_check_me.check;
    struct hd_check_lane *lane;

    if (!b)
        return;
    lane = &b->lane[hd_check_me.linear];
    b->taught = 1; /* makes the next block forget the fence */
    lane->fence = hd_check_tick(b);
    lane->fence_synced = b->synced;
    lane->fence_warp = b->warp[hd_check_me.warp].synced;
    lane->fence_scope = scope;
    learn_seen(&lane->knows, &lane->seen, scope);
    learn_seen(&lane->knows, &b->seen, scope);
    hd_check_unlearn(&lane->seen);
}
