/* SPDX-License-Identifier: Apache-2.0 */
/* store.h - the file of tuned choices: its entries, and reading and replacing it. */
#ifndef HEDDLE_DRIVERS_TUNE_STORE_H
#define HEDDLE_DRIVERS_TUNE_STORE_H

#include <heddle/tune.h>

#include <stdio.h>

enum {
    HD__TUNE_FORMAT = 1, /* version of the file */
    HD__TUNE_TEXT = HD_TUNE_SOURCE_MAX,
    HD__TUNE_ENTRIES_MAX = 4096,
    HD__TUNE_FILE_BYTES = 1 << 23 /* longer files are refused */
};

/* Where choices apply: what is the same for all entries of a kernel on a device. */
typedef struct hd__tune_place {
    char source[HD__TUNE_TEXT];
    char compiler[HD__TUNE_TEXT]; /* backend and compiler of the kernels */
    char device[HD__TUNE_TEXT];
    char driver[HD__TUNE_TEXT];
} hd__tune_place;

typedef struct hd__tune_entry {
    char name[HD_TUNE_NAME_MAX], type[HD_TUNE_NAME_MAX];
    hd__tune_place place;
    unsigned bucket; /* sizes from 4^bucket to 4^(bucket + 1) - 1 */
    size_t knob_count;
    char knobs[HD_TUNE_KNOBS_MAX][HD_TUNE_NAME_MAX];
    unsigned values[HD_TUNE_KNOBS_MAX];
    double speedup;
} hd__tune_entry;

typedef struct hd__tune_entries {
    hd__tune_entry *all;
    size_t count, room;
} hd__tune_entries;

/* Whether both are about the same kernel, type and place; the bucket may differ. */
int hd__tune_same_key(const hd__tune_entry *a, const hd__tune_entry *b);
/* Appends a copy, or replaces the entry with the same key and bucket. */
hd_status hd__tune_entries_put(const char *call, hd__tune_entries *to, const hd__tune_entry *entry);
void hd__tune_entries_free(hd__tune_entries *entries);

/* The place of kernels with this source on the device. source: NULL for that of heddle itself. */
hd_status hd__tune_place_of(int device, const char *source, hd__tune_place *place);

/* Reads all entries. A file that does not exist has none. */
hd_status hd__tune_read(const char *call, const char *path, hd__tune_entries *entries);
/* Changes the file under its lock: reads it, lets `change` edit the entries, and replaces it. With
   `anyway`, a file that cannot be read counts as empty. */
typedef hd_status (*hd__tune_change)(void *state, hd__tune_entries *entries);
hd_status hd__tune_update(const char *call, const char *path, int anyway, hd__tune_change change,
                          void *state);

#endif
