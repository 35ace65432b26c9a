/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - internal interface of the sort driver, and settings for tests. */
#ifndef HEDDLE_DRIVERS_SORT_PLAN_H
#define HEDDLE_DRIVERS_SORT_PLAN_H

#include <heddle/sort.h>

#include "drivers/tune/choice.h"
#include "kernels/sort/sort.h"

/* For tests. Blocks of many threads even if threads run one after another; passes even for few
   keys, which would be compared; tiles of a part (0: as many as fit); threads that search the
   position of one key (0: enough to keep all compute units busy). */
extern unsigned hd__sort_force_threads, hd__sort_force_passes, hd__sort_force_part;
extern unsigned hd__sort_force_team;

/* Layout of the workspace: offsets from its beginning, where the header is. */
typedef struct hd__sort_plan {
    size_t n;
    size_t key_bytes, value_bytes;
    size_t tile, tiles;
    size_t part;         /* keys per part, a multiple of the tile */
    size_t begins;       /* of all passes */
    size_t part_begins;  /* 2 x 256: of the next part */
    size_t words;        /* tiles x 256 */
    size_t keys, values; /* n each */
    size_t bytes;
    int small;  /* one block sorts all keys and needs no workspace */
    int merged; /* blocks sort runs, which are then merged, because a block can hold all keys */
} hd__sort_plan;

hd_status hd__sort_split(const char *call, size_t n, hd_type type, size_t value_bytes,
                         hd__sort_plan *plan);

/* The buffers of one array, which alternates between `out` and `other` from pass to pass. */
typedef struct hd__sort_buffers {
    const void *in;
    void *out, *other;
} hd__sort_buffers;

/* What is sorted, and how. */
typedef struct hd__sort_job {
    hd__sort_plan plan;
    hd__tune_choice choice;
    hd__sort_buffers keys, values;
    hd__sort_order order;
    unsigned first_bit, bits; /* bits: number of bits compared */
    unsigned passes, last_mask;
} hd__sort_job;

/* One launch; two launches; or one per pass and part, with workspace `memory`. */
hd_status hd__sort_small(const hd__sort_job *job, hd_stream *stream);
hd_status hd__sort_merged(const hd__sort_job *job, void *memory, hd_stream *stream);
hd_status hd__sort_passes(hd__sort_job *job, void *memory, hd_stream *stream);

#endif
