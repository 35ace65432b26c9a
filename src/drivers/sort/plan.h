/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - what the files of the sorting driver share, and what tests may force. */
#ifndef HEDDLE_DRIVERS_SORT_PLAN_H
#define HEDDLE_DRIVERS_SORT_PLAN_H

#include <heddle/sort.h>

#include "kernels/sort/sort.h"

/* For tests. Blocks of many threads where the driver would take blocks of one; passes where few
   keys would be compared; tiles of a part (0: as many as fit); threads that look for the place of
   one key (0: as many as there are units for). */
extern unsigned hd__sort_force_threads, hd__sort_force_passes, hd__sort_force_part;
extern unsigned hd__sort_force_team;

/* The memory of a sort, offsets from its beginning; the header comes first. */
typedef struct hd__sort_plan {
    size_t n;
    size_t key_bytes, value_bytes;
    size_t tile, tiles;
    size_t part;         /* keys of a part, a multiple of the tile */
    size_t begins;       /* of every pass */
    size_t part_begins;  /* 2 x 256: of the next part */
    size_t words;        /* tiles x 256 */
    size_t keys, values; /* as many as n */
    size_t bytes;
    int small;  /* one block does it without memory */
    int merged; /* blocks sort runs, which are merged, where a block has room for all keys */
} hd__sort_plan;

hd_status hd__sort_cut(const char *call, size_t n, hd_type type, size_t value_bytes,
                       hd__sort_plan *plan);

/* One array on its way: from pass to pass between `out` and `other`. */
typedef struct hd__sort_way {
    const void *in;
    void *out, *other;
} hd__sort_way;

/* What is sorted, and how. */
typedef struct hd__sort_job {
    hd__sort_plan plan;
    hd__sort_way keys, values;
    hd__sort_order order;
    unsigned first_bit, bits; /* bits: how many decide */
    unsigned passes, last_mask;
} hd__sort_job;

/* One launch; two, or as many as there are passes and parts, in `memory`. */
hd_status hd__sort_small(const hd__sort_job *job, hd_stream *stream);
hd_status hd__sort_merged(const hd__sort_job *job, void *memory, hd_stream *stream);
hd_status hd__sort_passes(hd__sort_job *job, void *memory, hd_stream *stream);

#endif
