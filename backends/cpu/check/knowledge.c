/* SPDX-License-Identifier: Apache-2.0 */
/* knowledge.c - release and acquire. An address at which something was released is a variable: a
   list of releases, each with what the releasing thread had done and knew. Who acquires there keeps
   a reference to the releases it has read; barriers pass references on to the whole block.

   A release by a thread that has met its block or its warp before publishes what they had done
   until then too. Fences turn the relaxed accesses behind them (release) and before them (acquire)
   into ordered ones, as in C11. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_SHIFT = 16, REFS_MAX = 256, STEPS_MAX = 4096, GLIMPSES_MAX = 4 };

typedef struct release {
    uint32_t serial, tick, synced, warp_synced; /* what it published: accesses below these ticks */
    uint16_t thread, scope;
    int16_t device;
    uint32_t before; /* an earlier release of the same slot, + 1 */
    uint32_t from;   /* it knows all releases of the variable from this one on: those of a lock */
    uint32_t stamp;  /* of the last search that came by */
    hd_check_knowledge knows;
} release;

typedef struct list {
    uint32_t *at;
    uint32_t count, room;
} list;

typedef struct hd_check_variable {
    struct hd_check_variable *next;
    uintptr_t address;
    release *releases;
    uint32_t count, room;
    uint32_t start;   /* of the releases that the value there still belongs to */
    uint32_t *newest; /* by hash of the serial: the last release, + 1 */
    uint32_t slots;   /* of newest, a power of two */
    list deep;        /* releases that know something of other variables */
    list self;        /* that know something of this one, and not what came right before */
} hd_check_variable;

static hd_check_variable *table[1 << TABLE_SHIFT];
static unsigned variables;
static uint32_t stamp;

/* ---- memory ---------------------------------------------------------------------------------- */

/* 0: no memory, and then everything counts as known. */
static int grow(void **array, uint32_t *room, uint32_t count, size_t size)
{
    uint32_t wanted = *room ? 2 * *room : 4;
    void *bigger;

    if (count < *room)
        return 1;
    bigger = realloc(*array, wanted * size);
    if (!bigger)
        return 0;
    *array = bigger;
    *room = wanted;
    return 1;
}

static unsigned hash(uint64_t key)
{
    return (unsigned)(key * 0x9e3779b97f4a7c15u >> (64 - TABLE_SHIFT));
}

static hd_check_variable *variable_at(uintptr_t address)
{
    hd_check_variable *v = table[hash(address)];

    while (v && v->address != address)
        v = v->next;
    return v;
}

static hd_check_variable *variable_make(uintptr_t address)
{
    hd_check_variable **head = &table[hash(address)], *v = variable_at(address);
    hd_check_cell *cell = hd_check_cell_of(address);
    int fresh = !(cell->write.meta & HD_CHECK_VARIABLE);

    cell->write.meta |= HD_CHECK_VARIABLE;
    if (v) {
        if (fresh) /* other memory lay here then */
            v->start = v->count;
        return v;
    }
    v = calloc(1, sizeof *v);
    if (!v)
        return NULL;
    v->address = address;
    v->next = *head;
    *head = v;
    variables++;
    return v;
}

void hd_check_variables_drop(void)
{
    if (!variables)
        return;
    variables = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        while (table[i]) {
            hd_check_variable *v = table[i];

            table[i] = v->next;
            for (uint32_t k = 0; k < v->count; k++)
                free(v->releases[k].knows.refs);
            free(v->releases);
            free(v->newest);
            free(v->deep.at);
            free(v->self.at);
            free(v);
        }
}

/* ---- knowledge ------------------------------------------------------------------------------- */

void hd_check_unlearn(hd_check_knowledge *knows)
{
    knows->count = 0;
    knows->all = 0;
}

/* Where the releases begin that the reference stands for, itself or through the last of them. */
static uint32_t reach_of(const hd_check_ref *ref)
{
    uint32_t from = ref->variable->releases[ref->to - 1].from;

    return from < ref->from ? from : ref->from;
}

static int includes(const hd_check_ref *newer, const hd_check_ref *older)
{
    return newer->to >= older->to && reach_of(newer) <= older->from;
}

static void learn(hd_check_knowledge *knows, const hd_check_ref *ref)
{
    unsigned kept = 0;
    uint32_t room = knows->room;
    void *refs = knows->refs;

    if (knows->all)
        return;
    for (unsigned i = 0; i < knows->count; i++) {
        const hd_check_ref *old = &knows->refs[i];
        int same = old->variable == ref->variable && old->serial == ref->serial &&
                   old->scope == ref->scope;

        if (same && includes(old, ref))
            return;
        if (!same || !includes(ref, old))
            knows->refs[kept++] = *old;
    }
    knows->count = kept;
    if (kept == REFS_MAX || !grow(&refs, &room, kept, sizeof *ref)) {
        knows->all = 1;
        return;
    }
    knows->refs = refs;
    knows->room = room;
    knows->refs[knows->count++] = *ref;
}

void hd_check_merge(hd_check_knowledge *into, const hd_check_knowledge *from)
{
    for (unsigned i = 0; i < from->count; i++)
        learn(into, &from->refs[i]);
    into->all |= from->all;
}

/* ---- publishing ------------------------------------------------------------------------------ */

static uint32_t slot_of(const hd_check_variable *v, uint32_t serial)
{
    return serial * 0x9e3779b1u & (v->slots - 1);
}

/* Chains of equal slots, not of equal serials: searches compare. */
static int index_add(hd_check_variable *v, uint32_t at)
{
    if (at >= v->slots) {
        uint32_t slots = v->slots ? 4 * v->slots : 16;
        uint32_t *newest = calloc(slots, sizeof *newest);

        if (!newest)
            return 0;
        free(v->newest);
        v->newest = newest;
        v->slots = slots;
        for (uint32_t i = 0; i < at; i++) {
            uint32_t *head = &newest[slot_of(v, v->releases[i].serial)];

            v->releases[i].before = *head;
            *head = i + 1;
        }
    }
    v->releases[at].before = v->newest[slot_of(v, v->releases[at].serial)];
    v->newest[slot_of(v, v->releases[at].serial)] = at + 1;
    return 1;
}

/* Nothing was released since the reference was taken, but by the running thread. */
static int is_current(const hd_check_variable *v, const hd_check_ref *ref)
{
    uint32_t last = v->count;

    if (ref->variable != v)
        return 0;
    while (last > ref->to && v->releases[last - 1].serial == hd_check_me.check->serial &&
           v->releases[last - 1].thread == hd_check_me.linear)
        last--;
    return ref->to == last;
}

static void know_so_far(hd_check_variable *v, release *r)
{
    const hd_check_now *now = &hd_check_me;
    const hd_check_block *b = now->check;
    const hd_check_knowledge *parts[] = {&b->lane[now->linear].knows, &b->warp[now->warp].knows,
                                         &b->knows};

    for (unsigned p = 0; p < 3; p++) {
        r->knows.all |= parts[p]->all;
        for (unsigned i = 0; i < parts[p]->count; i++) {
            const hd_check_ref *ref = &parts[p]->refs[i];

            if (!is_current(v, ref))
                learn(&r->knows, ref);
            else if (reach_of(ref) < r->from)
                r->from = reach_of(ref);
        }
    }
}

static void list_add(list *to, uint32_t at)
{
    uint32_t room = to->room;
    void *array = to->at;

    if (!grow(&array, &room, to->count, sizeof *to->at))
        return;
    to->at = array;
    to->room = room;
    to->at[to->count++] = at;
}

static int knows_others(const hd_check_variable *v, const hd_check_knowledge *knows)
{
    for (unsigned i = 0; i < knows->count; i++)
        if (knows->refs[i].variable != v)
            return 1;
    return knows->all;
}

static void publish(hd_check_variable *v, unsigned scope, uint32_t tick, uint32_t synced,
                    uint32_t warp_synced)
{
    const hd_check_now *now = &hd_check_me;
    uint32_t room = v->room;
    void *releases = v->releases;
    release *r;

    if (!grow(&releases, &room, v->count, sizeof *r))
        return;
    v->releases = releases;
    v->room = room;
    r = &v->releases[v->count];
    memset(r, 0, sizeof *r);
    r->serial = now->check->serial;
    r->tick = tick;
    r->synced = synced;
    r->warp_synced = warp_synced;
    r->thread = (uint16_t)now->linear;
    r->scope = (uint16_t)scope;
    r->device = (int16_t)now->check->op->device;
    r->from = v->count;
    if (now->check->taught)
        know_so_far(v, r);
    if (!index_add(v, v->count))
        return;
    if (r->knows.count || r->knows.all)
        list_add(knows_others(v, &r->knows) ? &v->deep : &v->self, v->count);
    v->count++;
}

/* ---- searching ------------------------------------------------------------------------------- */

static int reaches(const hd_check_ref *ref, const release *r)
{
    unsigned scope = ref->scope < r->scope ? ref->scope : r->scope;

    if (scope == HD_CHECK_BLOCK)
        return ref->serial == r->serial;
    return scope == HD_CHECK_SYSTEM || ref->device == r->device;
}

static int published(const release *r, const hd_check_record *wanted)
{
    unsigned thread = wanted->meta & HD_CHECK_THREAD, shift = hd_check_me.block->shift;

    return wanted->tick < r->synced || (thread == r->thread && wanted->tick < r->tick) ||
           (thread >> shift == (unsigned)r->thread >> shift && wanted->tick < r->warp_synced);
}

/* What a search has looked at, and what that knew it has not. Searches are made under
   hd_check_lock, one at a time. */
static const hd_check_knowledge *pending[STEPS_MAX];

static int found_here(const hd_check_ref *ref, const hd_check_record *wanted)
{
    const hd_check_variable *v = ref->variable;
    uint32_t from = reach_of(ref);

    for (uint32_t at = v->newest[slot_of(v, wanted->serial)]; at; at = v->releases[at - 1].before) {
        const release *r = &v->releases[at - 1];

        if (at - 1 < from)
            return 0;
        if (at - 1 < ref->to && r->serial == wanted->serial && published(r, wanted) &&
            reaches(ref, r))
            return 1;
    }
    return 0;
}

/* A search that becomes too long ends with "yes": better no finding than a wrong one. */
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

/* The newest of the listed releases in [from, to) first. */
static int look_along(const list *along, const hd_check_ref *ref, uint32_t from,
                      const hd_check_record *wanted, unsigned *count)
{
    for (uint32_t i = along->count; i-- > 0 && along->at[i] >= from;) {
        release *r = &ref->variable->releases[along->at[i]];

        if (along->at[i] >= ref->to || r->stamp == stamp || !reaches(ref, r))
            continue;
        r->stamp = stamp;
        if (look_into(&r->knows, wanted, count))
            return 1;
    }
    return 0;
}

/* Who reaches back to the first release needs nothing that others knew of the variable itself. */
static int look_deeper(const hd_check_ref *ref, const hd_check_record *wanted, unsigned *count)
{
    uint32_t from = reach_of(ref);

    return look_along(&ref->variable->deep, ref, from, wanted, count) ||
           (from && look_along(&ref->variable->self, ref, from, wanted, count));
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
    return 0;
}

/* ---- what threads do ------------------------------------------------------------------------- */

static void glimpse(uintptr_t address)
{
    hd_check_block *b = hd_check_me.check;
    const hd_check_record *r = &hd_check_cell_of(address)->atomic;

    if (!r->serial || r->meta & HD_CHECK_READS || r->serial == b->serial ||
        r->serial - b->op->serial >= b->op->blocks || b->glimpses == GLIMPSES_MAX)
        return;
    for (unsigned i = 0; i < b->glimpses; i++)
        if (b->glimpsed[i] == address)
            return;
    b->glimpsed[b->glimpses++] = address;
}

/* Many addresses are a histogram rather than flags. */
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

    v = cell->write.meta & HD_CHECK_VARIABLE ? variable_at(address) : NULL;
    if (!v || v->start == v->count || !acquires)
        glimpse(address);
    if (!v || v->start == v->count)
        return;
    ref = (hd_check_ref){v, v->start, v->count, b->serial, (uint16_t)scope, (int16_t)b->op->device};
    b->taught = 1;
    learn(acquires ? &lane->knows : &lane->seen, &ref);
}

static void write_variable(uintptr_t address, unsigned scope, int releases, int replaces)
{
    hd_check_block *b = hd_check_me.check;
    const struct hd_check_lane *lane = &b->lane[hd_check_me.linear];
    const hd_check_cell *cell = hd_check_cell_of(address);
    hd_check_variable *v = NULL;

    if (releases || lane->fence)
        v = variable_make(address);
    else if (replaces && cell->write.meta & HD_CHECK_VARIABLE)
        v = variable_at(address);
    if (!v)
        return;
    if (replaces)
        v->start = v->count;
    if (releases) {
        b->tick++;
        publish(v, scope, b->tick, b->synced, b->warp[hd_check_me.warp].synced);
    } else if (lane->fence) {
        publish(v, lane->fence_scope < scope ? lane->fence_scope : scope, lane->fence,
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

void hd_check_fence(unsigned scope)
{
    hd_check_block *b = hd_check_me.check;
    struct hd_check_lane *lane;

    if (!b)
        return;
    lane = &b->lane[hd_check_me.linear];
    b->taught = 1; /* the next block forgets the fence */
    lane->fence = ++b->tick;
    lane->fence_synced = b->synced;
    lane->fence_warp = b->warp[hd_check_me.warp].synced;
    lane->fence_scope = scope;
    for (unsigned i = 0; i < lane->seen.count; i++) {
        hd_check_ref ref = lane->seen.refs[i];

        ref.scope = ref.scope < scope ? ref.scope : (uint16_t)scope;
        learn(&lane->knows, &ref);
    }
    lane->knows.all |= lane->seen.all;
    hd_check_unlearn(&lane->seen);
}
