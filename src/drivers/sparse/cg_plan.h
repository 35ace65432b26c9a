/* SPDX-License-Identifier: Apache-2.0 */
/* cg_plan.h - conjugate gradients over devices: internal interface. cg_split.c splits the matrix on
   the host, cg_part.c puts a share on its device, cg_exchange.c exchanges data, cg.c iterates. */
#ifndef HEDDLE_DRIVERS_SPARSE_CG_PLAN_H
#define HEDDLE_DRIVERS_SPARSE_CG_PLAN_H

#include <heddle/cg.h>
#include <heddle/graph.h>

#include "kernels/sparse/cg.h"
#include "spmv_plan.h"

/* Rows of a share on the host: those with columns of other shares, or those without. Columns below
   `rows` of the share are its own; the halo's follow. */
typedef struct hd__cg_rows {
    hd_csr matrix; /* arrays from malloc */
    int32_t *row;  /* of the share, ascending */
} hd__cg_rows;

/* A device's share, on the host. */
typedef struct hd__cg_split {
    size_t first_row, rows;
    hd__cg_rows inside, boundary;
    int32_t *halo; /* columns of other shares that rows here need, ascending */
    size_t halo_count;
} hd__cg_split;

/* Splits the rows into blocks of about equal work: bounds[0 .. count], multiples of the tile except
   the last. */
void hd__cg_split_rows(const hd_csr *matrix, size_t tile, unsigned count, size_t *bounds);
/* The share of rows bounds[rank] to bounds[rank + 1] - 1. `place`: scratch, a number per row of the
   matrix. HD_ERR_NO_MEMORY; call hd__cg_split_free in either case. */
hd_status hd__cg_split_make(const hd_csr *matrix, const size_t *bounds, unsigned rank,
                            int32_t *place, hd__cg_split *split);
/* Frees all but the halo; frees everything. */
void hd__cg_split_drop_rows(hd__cg_split *split);
void hd__cg_split_free(hd__cg_split *split);
/* 1 / A[i][i] for every row, in the matrix's type. HD_ERR_SINGULAR names the row. */
hd_status hd__cg_inverse(const hd_csr *matrix, void *inverse);

/* Elements that one share sends to another. */
typedef struct hd__cg_link {
    int direct;     /* kernels store into the receiver's memory */
    size_t halo_at; /* position of these elements in the halo of `to`, */
    size_t count;   /* how many, */
    size_t pack_at; /* and their position in the packed buffer of `from` */
} hd__cg_link;

/* A share on its device. */
typedef struct hd__cg_part {
    hd_cg_share share;
    hd_stream *stream; /* computation */
    hd_stream *copies; /* transfers staged through host memory */
    hd_event *ready;   /* packed data is complete on this device */
    hd_event *sent;    /* and staged */
    hd_event *read;    /* with a group: the halo has been read */
    hd_event *joined;
    size_t tiles;     /* of this share */
    double *own_sums; /* with a group: the sums of this share's tiles, 0 for the others */
    void *memory;     /* the vectors and small arrays */
    hd__cg_task task;
    void *packing; /* packed elements' indices and destinations; buffer of staged links */
    void *packed;  /* that buffer */
    hd__cg_pack_task pack;
    void *matrix[2]; /* inside and boundary: one allocation each */
    hd_spmv_plan *plan[2];
    size_t shift[2]; /* rows of y before the plan's first row */
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
    const void **sums_in; /* input of the all-reduces, one pointer per device */
    void **sums_out;
    hd_stream **streams; /* and their streams */
    hd_graph_exec *graph;
    hd__cg_state *seen; /* page-locked */
    int failed;         /* unusable after a failure */
};

/* For tests: 1 asks for blocks of many threads even if threads run one after another. */
typedef struct hd__cg_force {
    int lanes;
} hd__cg_force;
extern hd__cg_force hd__cg_forced;

/* Streams, events, memory and matrix of a share; then the links, which need all shares. */
hd_status hd__cg_part_make(hd_cg *solver, unsigned rank, const hd__cg_split *split,
                           const void *inverse);
hd_status hd__cg_links_make(hd_cg *solver, const hd__cg_split *splits);
void hd__cg_part_free(hd__cg_part *part);

/* Sends elements of every device's p to the devices that need them; `hd__cg_halo_wait` makes a
   device's stream wait for its halo. `always`: regardless of the state; `again`: the host has not
   waited since the last call. */
hd_status hd__cg_halo_send(hd_cg *solver, int always, int again);
hd_status hd__cg_halo_wait(hd_cg *solver, unsigned rank);
/* Sends the sums of tiles in planes first to last, which kernels have just stored, to all devices,
   and makes the streams wait for them. */
hd_status hd__cg_sums(hd_cg *solver, unsigned first, unsigned last);

#endif
