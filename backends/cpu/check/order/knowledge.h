/* SPDX-License-Identifier: Apache-2.0 */
/* knowledge.h - what the files about release and acquire share: variables, the releases at them,
   and what their readers know. Everything under hd_check_lock. */
#ifndef HEDDLE_CPU_CHECK_ORDER_KNOWLEDGE_H
#define HEDDLE_CPU_CHECK_ORDER_KNOWLEDGE_H

#include "check/check.h"

typedef struct hd_check_release {
    uint32_t serial, tick, synced, warp_synced; /* what it published: accesses below these ticks */
    uint16_t thread, scope;
    int16_t device;
    uint32_t before; /* an earlier release of the same slot, + 1 */
    uint32_t from;   /* it knows all releases of the variable from this one on: those of a lock */
    uint32_t stamp;  /* of the last search that came by */
    hd_check_knowledge knows;
} hd_check_release;

typedef struct hd_check_list {
    uint32_t *at;
    uint32_t count, room;
} hd_check_list;

typedef struct hd_check_variable {
    struct hd_check_variable *next;
    uintptr_t address;
    hd_check_release *releases;
    uint32_t count, room;
    uint32_t start;     /* of the releases that the value there still belongs to */
    uint32_t *newest;   /* by hash of the serial: the last release, + 1 */
    uint32_t slots;     /* of newest, a power of two */
    hd_check_list deep; /* releases that know something of other variables */
    hd_check_list self; /* that know something of this one, and not what came right before */
} hd_check_variable;

/* An array with room for one element more; 0: no memory, and then everything counts as known. */
int hd_check_grow(void **array, uint32_t *room, uint32_t count, size_t size);

/* ---- variables (variable.c) ------------------------------------------------------------------ */

/* What is released at the address; NULL: nothing. */
hd_check_variable *hd_check_variable_at(uintptr_t address);
/* The same, made if there is none. NULL: no memory. */
hd_check_variable *hd_check_variable_make(uintptr_t address);
/* The running thread releases what it, its block and its warp had done until these ticks. */
void hd_check_publish(hd_check_variable *v, unsigned scope, uint32_t tick, uint32_t synced,
                      uint32_t warp_synced);

static inline uint32_t hd_check_slot_of(const hd_check_variable *v, uint32_t serial)
{
    return serial * 0x9e3779b1u & (v->slots - 1);
}

/* ---- knowledge (knowledge.c) ----------------------------------------------------------------- */

/* Takes a reference in, in place of what it includes. */
void hd_check_learn(hd_check_knowledge *knows, const hd_check_ref *ref);

/* Where the releases begin that the reference stands for, itself or through the last of them. */
static inline uint32_t hd_check_reach_of(const hd_check_ref *ref)
{
    uint32_t from = ref->variable->releases[ref->to - 1].from;

    return from < ref->from ? from : ref->from;
}

/* The reader and the releaser are in the scope of both. */
static inline int hd_check_reaches(const hd_check_ref *ref, const hd_check_release *r)
{
    unsigned scope = ref->scope < r->scope ? ref->scope : r->scope;

    if (scope == HD_CHECK_BLOCK)
        return ref->serial == r->serial;
    return scope == HD_CHECK_SYSTEM || ref->device == r->device;
}

#endif
