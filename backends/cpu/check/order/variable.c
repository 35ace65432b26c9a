/* SPDX-License-Identifier: Apache-2.0 */
/* variable.c - variables: addresses at which something was released, each with its list of
   releases. A release stores the ticks and the knowledge that the thread published. */
#include "knowledge.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_SHIFT = 16 };

static hd_check_variable *table[1 << TABLE_SHIFT];
static unsigned variables;

/* ---- lookup and creation ------------------------------------------------------------------- */

static unsigned hash(uint64_t key)
{
    return (unsigned)(key * 0x9e3779b97f4a7c15u >> (64 - TABLE_SHIFT));
}

hd_check_variable *hd_check_variable_at(uintptr_t address)
{
    hd_check_variable *v = table[hash(address)];

    while (v && v->address != address)
        v = v->next;
    return v;
}

hd_check_variable *hd_check_variable_make(uintptr_t address)
{
    hd_check_variable **head = &table[hash(address)], *v = hd_check_variable_at(address);
    hd_check_cell *cell = hd_check_cell_of(address);
    int fresh = !(cell->write.meta & HD_CHECK_VARIABLE);

    cell->write.meta |= HD_CHECK_VARIABLE;
    if (v) {
        if (fresh) /* other memory was at this address then */
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

/* ---- publishing ------------------------------------------------------------------------------ */

/* Chains contain releases of equal hash slots, not of equal serials: searches compare serials. */
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
            uint32_t *head = &newest[hd_check_slot_of(v, v->releases[i].serial)];

            v->releases[i].before = *head;
            *head = i + 1;
        }
    }
    v->releases[at].before = v->newest[hd_check_slot_of(v, v->releases[at].serial)];
    v->newest[hd_check_slot_of(v, v->releases[at].serial)] = at + 1;
    return 1;
}

/* Nothing was released since the reference was taken, except by the running thread. */
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

static void know_so_far(hd_check_variable *v, hd_check_release *r)
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
                hd_check_learn(&r->knows, ref);
            else if (hd_check_reach_of(ref) < r->from)
                r->from = hd_check_reach_of(ref);
        }
    }
}

static void list_add(hd_check_list *to, uint32_t at)
{
    uint32_t room = to->room;
    void *array = to->at;

    if (!hd_check_grow(&array, &room, to->count, sizeof *to->at))
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

void hd_check_publish(hd_check_variable *v, unsigned scope, uint32_t tick, uint32_t synced,
                      uint32_t warp_synced)
{
    const hd_check_now *now = &hd_check_me;
    uint32_t room = v->room;
    void *releases = v->releases;
    hd_check_release *r;

    if (!hd_check_grow(&releases, &room, v->count, sizeof *r))
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
