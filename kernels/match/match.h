/* SPDX-License-Identifier: Apache-2.0 */
/* match.h (kernels) - types shared by the kernels of hd_match and their host code. */
#ifndef HEDDLE_KERNELS_MATCH_H
#define HEDDLE_KERNELS_MATCH_H

#include <heddle/kernel_decl.h>
#include <heddle/types.h>

/* A tile is HD__MATCH_TILE positions. In hd__match_find each of HD__MATCH_THREADS threads takes
   16-byte vectors of it; where HD_SERIAL_THREADS is 1, one thread takes the whole tile. */
enum {
    HD__MATCH_TILE = 16384,
    HD__MATCH_VECTOR = 16,
    HD__MATCH_WORDS = HD__MATCH_TILE / 32, /* of the tile's bitmap */
    HD__MATCH_GROUP = 256,                 /* tiles composed by one block */
    HD__MATCH_STAGED = 4096,               /* maximum steps in a block's shared memory */
    HD__MATCH_PREFIX = 4,                  /* bytes compared at every position */
    HD__MATCH_HELD = 8,                    /* patterns whose prefixes are kernel arguments */
    HD__MATCH_THREADS = 256,
    HD__MATCH_SHORT = 32,   /* patterns up to this length are compared anew at each mark */
    HD__MATCH_WALKED = 32,  /* maximum states for hd__match_walk */
    HD__MATCH_MERGED = 1024 /* positions that hd__match_merge links at a time */
};

/* The first bytes of a pattern, each repeated in the four bytes of a word. */
typedef struct hd__match_prefix {
    uint32_t splat[HD__MATCH_PREFIX];
    uint32_t length;
} hd__match_prefix;

typedef struct hd__match_pattern {
    uint32_t offset, length; /* in hd__match_task.bytes */
    hd__match_prefix prefix;
} hd__match_pattern;

/* The effect of a tile on a state. A state is the number of bytes at the tile's start that an
   earlier match covers. */
typedef struct hd__match_step {
    uint32_t exit; /* bytes covered after its end */
    uint32_t count;
} hd__match_step;

/* The same for HD__MATCH_GROUP tiles; also the state and match index at which a tile or group
   begins. */
typedef struct hd__match_place {
    uint64_t count;
    uint64_t state;
} hd__match_place;

/* Positions are bytes from `text`, which is aligned to 16: the caller's bytes are first .. end - 1,
   and matches begin at first .. limit - 1. */
typedef struct hd__match_task {
    const unsigned char *text;
    uint64_t first, limit, end;
    uint64_t base; /* position of the caller's first byte in the whole text */
    uint32_t tiles, groups;
    uint32_t states; /* 1 if matches cannot overlap or all are wanted */
    uint32_t patterns;
    uint32_t overlapping; /* a position may have several matches */
    const hd__match_pattern *pattern;
    hd__match_prefix prefix[HD__MATCH_HELD]; /* the first patterns */
    const unsigned char *bytes;
    const uint16_t *repeats; /* Z array of each pattern (find.h); NULL: the patterns are short */
    uint8_t *longest; /* per marked position, the longest pattern, if long patterns may overlap */
    uint32_t *bits;   /* HD__MATCH_WORDS per tile; NULL: only count, into state->count */
    uint32_t *found;  /* per tile: its bits */
    hd__match_step *steps;        /* states per tile */
    hd__match_place *group_steps; /* states per group */
    hd__match_place *group_places;
    hd__match_place *tile_places;
    uint64_t *blocked, *count; /* of the caller's hd_match_state */
    uint64_t *positions;
    uint32_t *which;
    uint64_t capacity;
} hd__match_task;

HD_DECLARE(hd__match_find, hd__match_task)
HD_DECLARE(hd__match_find_long, hd__match_task)
HD_DECLARE(hd__match_walk, hd__match_task)
HD_DECLARE(hd__match_merge, hd__match_task)
HD_DECLARE(hd__match_compose, hd__match_task)
HD_DECLARE(hd__match_chain, hd__match_task)
HD_DECLARE(hd__match_place_tiles, hd__match_task)
HD_DECLARE(hd__match_choose, hd__match_task)
HD_DECLARE(hd__match_write, hd__match_task)

#endif
