/* SPDX-License-Identifier: Apache-2.0 */
/* knowledge.h - shared by the files about release and acquire: variables, their releases, and the
   knowledge of their readers. Everything is guarded by hd_check_lock.

       block A                                     block B
       write x       tick 1
       release flag  tick 2  -->  variable `flag`
                                  releases[0]: {block A, tick 2, knowledge}  <-- ref -- acquire flag
                                                                                        read x

   The read of x searches the knowledge of its thread, warp and block for a release that published
   the write: one by block A with a tick above 1. */
#ifndef HEDDLE_CPU_CHECK_ORDER_KNOWLEDGE_H
#define HEDDLE_CPU_CHECK_ORDER_KNOWLEDGE_H

#include "check/check.h"

typedef struct hd_check_release {
    uint32_t serial, tick, synced, warp_synced; /* accesses at ticks below these were published */
    uint16_t thread, scope;
    int16_t device;
    uint32_t before; /* index + 1 of the previous release in the same slot */
    uint32_t from;   /* knows all releases of the variable from this one on, e.g. of a lock */
    uint32_t stamp;  /* the last search that visited this release */
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
    uint32_t start;     /* start of the releases that the current value belongs to */
    uint32_t *newest;   /* by hash of the serial: index + 1 of the last release */
    uint32_t slots;     /* size of newest, a power of two */
    hd_check_list deep; /* releases that have knowledge of other variables */
    hd_check_list self; /* releases that know others of this variable, but not the preceding one */
} hd_check_variable;

/* Makes room for one more element; 0: out of memory, in which case everything counts as known. */
int hd_check_grow(void **array, uint32_t *room, uint32_t count, size_t size);

/* ---- variables (variable.c) ------------------------------------------------------------------ */

/* The variable at the address; NULL: nothing was released there. */
hd_check_variable *hd_check_variable_at(uintptr_t address);
/* Likewise, created if there is none. NULL: out of memory. */
hd_check_variable *hd_check_variable_make(uintptr_t address);
/* The running thread releases at the address: publishes what it, its block and its warp did before
   these ticks. */
void hd_check_publish(hd_check_variable *v, unsigned scope, uint32_t tick, uint32_t synced,
                      uint32_t warp_synced);

static inline uint32_t hd_check_slot_of(const hd_check_variable *v, uint32_t serial)
{
    return serial * 0x9e3779b1u & (v->slots - 1);
}

/* ---- knowledge (knowledge.c) ----------------------------------------------------------------- */

/* Adds a reference, replacing those that it includes. */
void hd_check_learn(hd_check_knowledge *knows, const hd_check_ref *ref);

/* First release that the reference stands for, itself or through its last release. */
static inline uint32_t hd_check_reach_of(const hd_check_ref *ref)
{
    uint32_t from = ref->variable->releases[ref->to - 1].from;

    return from < ref->from ? from : ref->from;
}

/* Reader and releaser are both in the smaller of the two scopes. */
static inline int hd_check_reaches(const hd_check_ref *ref, const hd_check_release *r)
{
    unsigned scope = ref->scope < r->scope ? ref->scope : r->scope;

    if (scope == HD_CHECK_BLOCK)
        return ref->serial == r->serial;
    return scope == HD_CHECK_SYSTEM || ref->device == r->device;
}

#endif
