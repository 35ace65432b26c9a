/* SPDX-License-Identifier: Apache-2.0 */
/* allocations.h - the entries of the table of allocations. */
#ifndef HEDDLE_CPU_CHECK_ALLOCATIONS_H
#define HEDDLE_CPU_CHECK_ALLOCATIONS_H

#include "check/check.h"

enum { HD_CHECK_USERS = 8 };

typedef struct hd_check_entry {
    hd_check_allocation is; /* first: what others see */
    int own;                /* heddle's, which keeps it */
    int free_asked;
    uint32_t freed_by; /* serial of the hd_free_async; 0: hd_free */
    unsigned freed_at; /* how many operations had been enqueued then */
    struct hd_check_entry *next;
} hd_check_entry;

/* No finding is reported with the lock held: reports ask what an address belongs to. */
extern pthread_mutex_t hd_check_entries_lock;

/* The entry that holds the address, live or freed; the i-th in the order of addresses. NULL: none.
   With the lock; an entry that leaves the table stays readable for a while. */
hd_check_entry *hd_check_entry_at(uintptr_t address);
hd_check_entry *hd_check_entry_number(size_t i);
/* What is remembered of entries elsewhere is no longer true. */
void hd_check_entries_changed(void);

/* Takes it over, in place of those whose bytes it has. With the lock. */
void hd_check_entry_insert(hd_check_entry *e);

/* Sides of findings (report/side.c). */
hd_check_side hd_check_side_of_op(const char *verb, const hd_check_op *op);
hd_check_side hd_check_side_of_host(const char *verb, const uintptr_t stack[HD_CHECK_STACK]);
hd_check_side hd_check_side_of_free(const hd_check_entry *e);

#endif
