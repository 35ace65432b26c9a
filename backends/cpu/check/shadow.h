/* SPDX-License-Identifier: Apache-2.0 */
/* shadow.h - the last accesses to all memory that kernels may use: marks in the cells of a shadow
   of that memory, explained in check.h. */
#ifndef HEDDLE_CPU_CHECK_SHADOW_H
#define HEDDLE_CPU_CHECK_SHADOW_H

#include "observe.h"

/* ---- records --------------------------------------------------------------------------------- */

/* An access to a granule. */
typedef struct hd_check_record {
    uint32_t serial; /* serial of the block or copy, see hd_check_op_of; 0: no access */
    uint32_t tick;   /* the block's tick at that time */
    uint32_t place;  /* place in the code: hd_check_place_of */
    uint32_t meta;
} hd_check_record;

enum {
    HD_CHECK_THREAD = 0x3ff,     /* meta: linear thread in the block */
    HD_CHECK_BYTES_SHIFT = 10,   /* first bit of HD_CHECK_BYTES */
    HD_CHECK_BYTES = 0xf << 10,  /* bytes of the granule that were accessed */
    HD_CHECK_SCOPE_SHIFT = 14,   /* first bit of HD_CHECK_SCOPE */
    HD_CHECK_SCOPE = 3 << 14,    /* of an atomic: 0 block, 1 device, 2 system */
    HD_CHECK_INIT_SHIFT = 16,    /* first bit of HD_CHECK_INIT */
    HD_CHECK_INIT = 0xf << 16,   /* last write only: bytes ever written */
    HD_CHECK_READS = 1 << 20,    /* the atomic only read */
    HD_CHECK_VARIABLE = 1 << 21, /* last write only: the granule is a variable, with releases */
    HD_CHECK_RARE = 1 << 22,     /* last write only: the rare half holds something */
    HD_CHECK_SPLIT = 1 << 23,    /* with RARE: each byte has its own cell */
    HD_CHECK_KEPT = HD_CHECK_INIT | HD_CHECK_VARIABLE
};

/* The same in 8 bytes; expanded by hd_check_record_of. */
typedef struct hd_check_mark {
    uint32_t epoch; /* 0: no access */
    uint32_t meta;
} hd_check_mark;

typedef struct hd_check_cell {
    hd_check_mark write, read;
} hd_check_cell;

typedef struct hd_check_rare {
    hd_check_mark atomic, other_read;
} hd_check_rare;

typedef enum hd_check_access { HD_CHECK_READ, HD_CHECK_WRITE, HD_CHECK_ATOMIC } hd_check_access;

/* ---- the region and its shadow (shadow.c) ---------------------------------------------------- */

extern uintptr_t hd_check_base; /* start of the region */
extern size_t hd_check_bytes;
extern hd_check_cell *hd_check_cells;
extern hd_check_rare *hd_check_rares;
extern hd_check_cell *hd_check_byte_cells; /* valid for split granules only */
extern hd_check_rare *hd_check_byte_rares; /* empty unless the granule is split */

static inline int hd_check_inside(uintptr_t address)
{
    return address - hd_check_base < hd_check_bytes;
}

static inline hd_check_cell *hd_check_cell_of(uintptr_t address)
{
    return &hd_check_cells[(address - hd_check_base) >> 2];
}

static inline hd_check_rare *hd_check_rare_of(uintptr_t address)
{
    return &hd_check_rares[(address - hd_check_base) >> 2];
}

/* The cell of the byte at the address: its own if the granule is split, otherwise the granule's. */
static inline hd_check_cell *hd_check_cell_at(uintptr_t address)
{
    hd_check_cell *cell = hd_check_cell_of(address);

    return cell->write.meta & HD_CHECK_SPLIT ? &hd_check_byte_cells[address - hd_check_base] : cell;
}

static inline hd_check_rare *hd_check_rare_at(uintptr_t address)
{
    return hd_check_cell_of(address)->write.meta & HD_CHECK_SPLIT
               ? &hd_check_byte_rares[address - hd_check_base]
               : hd_check_rare_of(address);
}

/* Splits the granule: each byte gets its own cell with the granule's records of it. */
void hd_check_split(uintptr_t granule);

/* The bytes of [address, end) in the granule, as in meta. */
static inline uint32_t hd_check_bytes_in(uintptr_t granule, uintptr_t address, uintptr_t end)
{
    unsigned from = address > granule ? (unsigned)(address - granule) : 0;
    unsigned to = end - granule < 4 ? (unsigned)(end - granule) : 4;

    return ((1u << to) - (1u << from)) << HD_CHECK_BYTES_SHIFT;
}

/* Whether the address lies in the shadow. */
int hd_check_in_shadow(uintptr_t address);
/* Forgets all accesses; initialised memory stays initialised. */
void hd_check_wipe(void);
/* Makes a forked child find the shadow zeroed. */
void hd_check_shadow_private(void);
/* A permanent part of the region: page-aligned, zeroed, not backed by memory yet. NULL: full. */
void *hd_check_reserve(size_t bytes);
/* Forgets everything about the bytes: no accesses, uninitialised. */
void hd_check_forget(uintptr_t address, size_t bytes);

#endif
