/* SPDX-License-Identifier: Apache-2.0 */
/* table.h - the choices in use: what HEDDLE_TUNE selects, the file as it was read, and the shipped
   choices. */
#ifndef HEDDLE_DRIVERS_TUNE_TABLE_H
#define HEDDLE_DRIVERS_TUNE_TABLE_H

#include "choice.h"
#include "store.h"

/* HEDDLE_TUNE. */
typedef enum hd__tune_mode {
    HD__TUNE_OFF,
    HD__TUNE_SHIPPED, /* the default */
    HD__TUNE_READ,
    HD__TUNE_NOW
} hd__tune_mode;
hd__tune_mode hd__tune_mode_get(void);
/* Prints a problem on standard error, because no caller fails; only the first one. */
void hd__tune_complain(const char *why);

/* The stored choice of a kernel that is not one of heddle's; `key` has name, type, place and
   bucket. 0 if there is none. */
int hd__tune_stored(const hd__tune_entry *key, hd__tune_entry *found);
/* Takes entries that were stored just now into use; without HEDDLE_TUNE=read or now, nothing. */
void hd__tune_learn(const hd__tune_entry *entries, size_t count);

/* Choices for measured devices, compiled in: docs/tuning.md tells how to extend them. */
typedef struct hd__tune_shipped_row {
    const char *device; /* product name */
    const char *family, *type;
    unsigned bucket;
    hd__tune_choice choice;
} hd__tune_shipped_row;
extern const hd__tune_shipped_row hd__tune_shipped[];
extern const size_t hd__tune_shipped_count;

#endif
