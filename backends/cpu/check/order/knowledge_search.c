/* SPDX-License-Identifier: Apache-2.0 */
/* knowledge_search.c - whether an access happens before the running thread's: whether it was
   published by a release that the thread has read, or by one that the releasing thread knew of. */
#include "knowledge.h"

enum { STEPS_MAX = 4096 };

static uint32_t stamp;

static int published(const hd_check_release *r, const hd_check_record *wanted)
{
    unsigned thread = wanted->meta & HD_CHECK_THREAD, shift = hd_check_me.block->shift;

    return wanted->tick < r->synced || (thread == r->thread && wanted->tick < r->tick) ||
           (thread >> shift == (unsigned)r->thread >> shift && wanted->tick < r->warp_synced);
}

/* Knowledge that the current search has yet to follow. Searches run under hd_check_lock, one at a
   time. */
static const hd_check_knowledge *pending[STEPS_MAX];

static int found_here(const hd_check_ref *ref, const hd_check_record *wanted)
{
    const hd_check_variable *v = ref->variable;
    uint32_t from = hd_check_reach_of(ref);

    for (uint32_t at = v->newest[hd_check_slot_of(v, wanted->serial)]; at;
         at = v->releases[at - 1].before) {
        const hd_check_release *r = &v->releases[at - 1];

        if (at - 1 < from)
            return 0;
        if (at - 1 < ref->to && r->serial == wanted->serial && published(r, wanted) &&
            hd_check_reaches(ref, r))
            return 1;
    }
    return 0;
}

/* A search that takes too many steps answers "known": a missed race is better than a false one. */
static int look_into(const hd_check_knowledge *knows, const hd_check_record *wanted,
                     unsigned *count)
{
    if (knows->all || *count == STEPS_MAX)
        return 1;
    for (unsigned i = knows->count; i-- > 0;)
        if (found_here(&knows->refs[i], wanted))
            return 1;
    pending[(*count)++] = knows;
    return 0;
}

/* Visits the listed releases in [from, to), newest first. */
static int look_along(const hd_check_list *along, const hd_check_ref *ref, uint32_t from,
                      const hd_check_record *wanted, unsigned *count)
{
    for (uint32_t i = along->count; i-- > 0 && along->at[i] >= from;) {
        hd_check_release *r = &ref->variable->releases[along->at[i]];

        if (along->at[i] >= ref->to || r->stamp == stamp || !hd_check_reaches(ref, r))
            continue;
        r->stamp = stamp;
        if (look_into(&r->knows, wanted, count))
            return 1;
    }
    return 0;
}

/* If the reference includes the variable's first release, knowledge of the variable itself adds
   nothing. */
static int look_deeper(const hd_check_ref *ref, const hd_check_record *wanted, unsigned *count)
{
    uint32_t from = hd_check_reach_of(ref);

    return look_along(&ref->variable->deep, ref, from, wanted, count) ||
           (from && look_along(&ref->variable->self, ref, from, wanted, count));
}

/* Operations that streams order before the kernel of a known release are known too. */
static int before_a_release(const hd_check_record *wanted, unsigned count)
{
    const hd_check_op *theirs = hd_check_op_of(wanted->serial);

    for (unsigned at = 0; theirs && at < count; at++)
        for (unsigned i = 0; i < pending[at]->count; i++) {
            const hd_check_ref *ref = &pending[at]->refs[i];
            const hd_check_release *r = &ref->variable->releases[ref->to - 1];
            const hd_check_op *op = hd_check_op_of(r->serial);

            if (op && hd_check_reaches(ref, r) && hd_check_op_before(theirs, op))
                return 1;
        }
    return 0;
}

int hd_check_knows(const hd_check_record *wanted)
{
    const hd_check_now *now = &hd_check_me;
    const hd_check_block *b = now->check;
    unsigned count = 0;

    stamp++;
    if (look_into(&b->lane[now->linear].knows, wanted, &count) ||
        look_into(&b->warp[now->warp].knows, wanted, &count) ||
        look_into(&b->knows, wanted, &count))
        return 1;
    for (unsigned at = 0; at < count; at++)
        for (unsigned i = pending[at]->count; i-- > 0;)
            if (look_deeper(&pending[at]->refs[i], wanted, &count))
                return 1;
    return before_a_release(wanted, count);
}
