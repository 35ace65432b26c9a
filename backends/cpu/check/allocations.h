/* SPDX-License-Identifier: Apache-2.0 */
/* allocations.h - entries of the table of allocations. */
#ifndef HEDDLE_CPU_CHECK_ALLOCATIONS_H
#define HEDDLE_CPU_CHECK_ALLOCATIONS_H

#include "check/check.h"

enum { HD_CHECK_USERS = 8 };

typedef struct hd_check_entry {
    hd_check_allocation is; /* first: the part that other files see */
    int own;                /* internal to heddle, which keeps it */
    int free_asked;
    uint32_t freed_by; /* serial of the hd_free_async; 0: hd_free */
    unsigned freed_at; /* number of operations enqueued by then */
    struct hd_check_entry *next;
} hd_check_entry;

/* No finding may be reported with the lock held: reports look up the allocation of an address. */
extern pthread_mutex_t hd_check_entries_lock;

/* The entry that contains the address, live or freed; the i-th in order of addresses. NULL: none.
   With the lock held; an entry stays readable for a while after it leaves the table. */
hd_check_entry *hd_check_entry_at(uintptr_t address);
hd_check_entry *hd_check_entry_number(size_t i);
/* Invalidates cached entries. */
void hd_check_entries_changed(void);

/* Inserts the entry, which the table then owns, and removes entries whose bytes it overlaps. With
   the lock held. */
void hd_check_entry_insert(hd_check_entry *e);

/* Sides of findings (report/side.c). */
hd_check_side hd_check_side_of_op(const char *verb, const hd_check_op *op);
hd_check_side hd_check_side_of_host(const char *verb, const uintptr_t stack[HD_CHECK_STACK]);
hd_check_side hd_check_side_of_free(const hd_check_entry *e);

#endif
