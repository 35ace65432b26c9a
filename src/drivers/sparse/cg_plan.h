/* SPDX-License-Identifier: Apache-2.0 */
/* cg_plan.h - conjugate gradients over devices: what its files share. cg_split.c cuts the matrix on
   the host, cg_part.c puts a share on its device, cg_exchange.c moves what devices exchange,
   cg.c iterates. */
#ifndef HEDDLE_DRIVERS_SPARSE_CG_PLAN_H
#define HEDDLE_DRIVERS_SPARSE_CG_PLAN_H

#include <heddle/cg.h>
#include <heddle/graph.h>

#include "kernels/sparse/cg.h"
#include "spmv_plan.h"

/* Rows of a share whose columns are its own and others' (or its own alone), on the host. Columns
   below `rows` of the share are its own; then come those of the halo. */
typedef struct hd__cg_rows {
    hd_csr matrix; /* arrays from malloc */
    int32_t *row;  /* of the share, ascending */
} hd__cg_rows;

/* What the devices' shares are, on the host. */
typedef struct hd__cg_split {
    size_t first_row, rows;
    hd__cg_rows inside, boundary;
    int32_t *halo; /* columns of the whole that others own and rows here need, ascending */
    size_t halo_count;
} hd__cg_split;

/* Bounds[0 .. count] of blocks of rows of about equal work, multiples of the tile but the last. */
void hd__cg_cut(const hd_csr *matrix, size_t tile, unsigned count, size_t *bounds);
/* The share of rows bounds[rank] to bounds[rank + 1] - 1. `place` has a number per row of the whole
   to work with. HD_ERR_NO_MEMORY; hd__cg_split_free follows either way. */
hd_status hd__cg_split_make(const hd_csr *matrix, const size_t *bounds, unsigned rank,
                            int32_t *place, hd__cg_split *split);
/* Frees all but the halo; everything. */
void hd__cg_split_drop_rows(hd__cg_split *split);
void hd__cg_split_free(hd__cg_split *split);
/* 1 / A[i][i] for every row, in the matrix's type. HD_ERR_SINGULAR with the row. */
hd_status hd__cg_inverse(const hd_csr *matrix, void *inverse);

/* Elements that a share gets from another, or gives it. */
typedef struct hd__cg_link {
    int direct;     /* kernels store into the other's memory */
    size_t halo_at; /* where the elements of `from` begin in the halo of `to`, */
    size_t count;   /* how many, */
    size_t pack_at; /* and where they begin in what `from` packs */
} hd__cg_link;

/* A share on its device. */
typedef struct hd__cg_part {
    hd_cg_share share;
    hd_stream *stream; /* of the computation */
    hd_stream *copies; /* of transfers by the host's memory */
    hd_event *ready;   /* what others get is complete on this device, */
    hd_event *sent;    /* and where it is staged */
    hd_event *read;    /* with a group: the halo was read */
    hd_event *joined;
    size_t tiles;     /* of this share */
    double *own_sums; /* with a group: sums of this share's tiles, and 0 for the others */
    void *memory;     /* the vectors, and what is small */
    hd__cg_task task;
    void *packing; /* what is packed, where to, and elements for staged links */
    void *packed;  /* these elements */
    hd__cg_pack_task pack;
    void *matrix[2]; /* of inside and boundary: all arrays in one allocation */
    hd_spmv_plan *plan[2];
    size_t shift[2]; /* rows of y before that of the plan's first row */
} hd__cg_part;

struct hd_cg {
    unsigned count;
    size_t n, tile, tiles;
    hd_type type;
    hd_cg_options options;
    size_t *bounds;
    hd__cg_part *parts;
    hd__cg_link *links;   /* [from * count + to] */
    hd_group *group;      /* or NULL */
    const void **sums_in; /* of all-reduces, a pointer per device, */
    void **sums_out;
    hd_stream **streams; /* and their streams */
    hd_graph_exec *graph;
    hd__cg_state *seen; /* page-locked */
    int failed;         /* nothing is possible any more */
};

/* For tests: 1 asks for blocks of many threads where threads run one after another. */
typedef struct hd__cg_force {
    int lanes;
} hd__cg_force;
extern hd__cg_force hd__cg_forced;

/* Streams, events, memory and matrix of a share; what links the shares needs all of them. */
hd_status hd__cg_part_make(hd_cg *solver, unsigned rank, const hd__cg_split *split,
                           const void *inverse);
hd_status hd__cg_links_make(hd_cg *solver, const hd__cg_split *splits);
void hd__cg_part_free(hd__cg_part *part);

/* Elements of every device's p to where they are needed; each device's stream then waits before
   `hd__cg_halo_wait`. `always`: whatever the state says; `again`:
   the host has not waited since the last time. */
hd_status hd__cg_halo_send(hd_cg *solver, int always, int again);
hd_status hd__cg_halo_wait(hd_cg *solver, unsigned rank);
/* Sums of tiles in planes first to last, which kernels just stored, to all devices, and waits. */
hd_status hd__cg_sums(hd_cg *solver, unsigned first, unsigned last);

#endif
