/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi_group.h - internal interface of the Jacobi driver for several devices. */
#ifndef HEDDLE_DRIVERS_STENCIL_SEVERAL_JACOBI_GROUP_H
#define HEDDLE_DRIVERS_STENCIL_SEVERAL_JACOBI_GROUP_H

#include <heddle/graph.h>
#include <heddle/jacobi_group.h>

#include "drivers/stencil/jacobi_plan.h"
#include "threads.h"

/* Partial sums of norms are kept for several sweeps, in two halves that alternate: one is folded
   while the other is filled. */
enum { HD__JACOBI_SLOTS_MAX = 64, HD__JACOBI_HALVES = 2, HD__JACOBI_ROWS_BEYOND = 16 };

/* For tests and tuning; 0: the driver chooses. `slots`: sweeps per half. `passes`: per launch of
   `persistent`, or per graph. */
typedef struct hd__jacobi_group_force {
    unsigned slots, passes;
} hd__jacobi_group_force;
extern hd__jacobi_group_force hd__jacobi_group_forced;

/* The partial sums that a row of tiles folds: its own from `lead` on, then `tail` sums of the rows
   of tiles below, which complete its last tile of sums. Sums are numbered over the whole field. */
typedef struct hd__jacobi_share {
    uint64_t first, count; /* its own sums */
    uint64_t lead;         /* its first sums, which complete a tile of `taker` */
    unsigned taker;        /* a row of tiles */
    uint64_t lead_at;      /* their position in the tail of `taker` */
    uint64_t tail;
    uint32_t tile, tiles; /* tiles of sums: the first one, and their number */
} hd__jacobi_share;

/* Arguments of a part's linked kernels; all 0 after a field is loaded. */
typedef struct hd__jacobi_words {
    uint64_t arrived[2][HD__JACOBI_TURNS]; /* [side]: passes that the neighbour has completed */
    uint64_t unseen[2][HD__JACOBI_TURNS];  /* [side]: flags that no one waits for */
    uint64_t released;
} hd__jacobi_words;

/* Memory for norms, per half. */
typedef struct hd__jacobi_part_sums {
    void *own[HD__JACOBI_HALVES];      /* [slot][band][quad], of the part */
    void *rows[HD__JACOBI_HALVES];     /* of the row of tiles; is own if that has one tile */
    void *gathered[HD__JACOBI_HALVES]; /* sums of the row's other tiles, one after another */
    void *tail[HD__JACOBI_HALVES];
    double *tiles[HD__JACOBI_HALVES];      /* [slot][tile] */
    double *tiles_host[HD__JACOBI_HALVES]; /* pinned */
    hd_event *summed, *given, *folded[HD__JACOBI_HALVES];
} hd__jacobi_part_sums;

typedef struct hd__jacobi_part {
    hd_part place;
    int device;
    hd_side sides[4];
    uint32_t bands, quads;
    size_t pitch;
    void *memory[2];
    void *first[2];                /* address of the first own cell */
    hd_stream *main, *edge, *side; /* sweeps; outermost rows and copies; sums */
    hd_event *swept, *edged;       /* recorded in the last pass */
    hd_event *joined;              /* graphs: fork and join */
    /* linked kernels */
    hd__jacobi_words *words; /* coherent */
    uint32_t *done;          /* hd__jacobi_done_words, the last of which is the ticket */
    hd__jacobi_part_sums sums;
} hd__jacobi_part;

/* Words at `done`: one per band, but at least two (a single pass counts the low and the high side
   in them), and the ticket. */
static inline size_t hd__jacobi_done_words(const hd__jacobi_part *part)
{
    return (part->bands < 2 ? 2 : part->bands) + (size_t)1;
}

/* A half that is being folded, and the norms that result. */
typedef struct hd__jacobi_half {
    unsigned used;                        /* slots */
    double *wanted[HD__JACOBI_SLOTS_MAX]; /* destination of each slot's norm; NULL: not wanted */
    int folding;
} hd__jacobi_half;

/* exchange.c: halos. */
typedef struct hd__jacobi_exchange {
    hd_halo *halo;        /* NULL for one part */
    hd_group *collective; /* of ccl; NULL after a failure until a field is loaded */
    hd_group_transport transport;
    hd_halo_field *fields;
    hd_stream **streams;
} hd__jacobi_exchange;

/* field.c: the current field; run.c and graph.c advance it after a pass. */
typedef struct hd__jacobi_field {
    unsigned turn; /* the field is in memory[turn] */
    uint64_t made; /* passes since it was loaded */
    int loaded;
} hd__jacobi_field;

/* sums.c: norms. */
typedef struct hd__jacobi_sums {
    uint64_t count;           /* per sweep */
    unsigned slots;           /* per half */
    hd__jacobi_share *shares; /* one per row of tiles */
    hd__jacobi_half halves[HD__JACOBI_HALVES];
    unsigned half;
} hd__jacobi_sums;

/* graph.c: graphs of `passes` passes: without sums, and with sums into each half. */
typedef struct hd__jacobi_graphs {
    hd_graph_exec *exec[1 + HD__JACOBI_HALVES];
    unsigned passes;
    int capturing; /* the caller's thread is capturing, and does all work itself */
} hd__jacobi_graphs;

/* jacobi_group.c sets the first members, which other files only read; each struct is written by the
   file named above it. */
struct hd_jacobi_group {
    const char *call; /* name of the public call, for errors */
    hd_type type;
    size_t element;
    hd_domain domain;
    unsigned count, rows; /* parts; rows of tiles */
    hd_jacobi_variant variant;
    unsigned depth;
    uint32_t band, quads;
    int stores;                  /* sweeps store into the neighbours' memory */
    hd__jacobi_threads *threads; /* NULL: the caller's thread */
    hd__jacobi_exchange exchange;
    hd__jacobi_field field;
    hd__jacobi_sums sums;
    hd__jacobi_graphs graphs;
    hd__jacobi_part parts[];
};

/* A pass, as its phases see it. */
typedef struct hd__jacobi_step {
    unsigned depth, passes; /* sweeps per pass; passes per launch, 0: a single pass */
    int norms;
    unsigned slot; /* in the current half, if norms are wanted */
} hd__jacobi_step;

/* phases.c: executes `phase` for every part, in the part's thread if there are threads, and returns
   when all are done; returns the first failure, with its detail. */
typedef hd_status hd__jacobi_phase(hd_jacobi_group *g, unsigned part, void *argument);
hd_status hd__jacobi_each(hd_jacobi_group *g, hd__jacobi_phase *phase, void *argument);
/* Sweeps of the next pass if `left` remain. */
unsigned hd__jacobi_group_depth(const hd_jacobi_group *g, size_t left);

/* pass.c: one step of the group's variant. The caller advances turn and made. */
hd_status hd__jacobi_group_step(hd_jacobi_group *g, const hd__jacobi_step *step);
/* exchange.c. Creates the group of variant ccl that carries halos, if there is none. */
hd_status hd__jacobi_group_collective(hd_jacobi_group *g);
/* Exchanges the halos of the fields memory[turn], on the streams main (edge 0) or edge. */
hd_status hd__jacobi_group_exchange(hd_jacobi_group *g, unsigned turn, int edge);

/* wait.c: waits until the work of all parts has ended, or the fold of `half` (NULL: all work).
   Returns at the first failure, which names the part, while others may still be waiting. */
hd_status hd__jacobi_group_wait(hd_jacobi_group *g, const unsigned *half);
/* release.c, after a failure: releases kernels that wait for a neighbour whose work failed or was
   never issued, and waits until the work of all parts ends. The field is lost; the last error is
   kept. */
void hd__jacobi_group_release(hd_jacobi_group *g);

/* sums.c */
hd_status hd__jacobi_sums_open(hd_jacobi_group *g);
void hd__jacobi_sums_close(hd_jacobi_group *g);
/* Ensures room for `count` slots in the current half; *slot is the first. */
hd_status hd__jacobi_sums_room(hd_jacobi_group *g, unsigned count, unsigned *slot);
/* Sets the destination of the norm of this slot of the current half; NULL: none. */
void hd__jacobi_sums_want(hd_jacobi_group *g, unsigned slot, double *norm);
/* After a failure: drops all requested norms. */
void hd__jacobi_sums_forget(hd_jacobi_group *g);
/* Starts the fold of the current half and switches to the other one, after waiting for its
   norms. */
hd_status hd__jacobi_sums_turn(hd_jacobi_group *g);
/* Waits for all norms. */
hd_status hd__jacobi_sums_finish(hd_jacobi_group *g);

/* graph.c: makes passes by graphs from sweep `at` on, while that is possible; *left: remaining
   sweeps; norms of every `every`th sweep (0: none). */
hd_status hd__jacobi_group_graphs(hd_jacobi_group *g, size_t at, size_t every, double *norms,
                                  size_t *left);
void hd__jacobi_graphs_close(hd_jacobi_group *g);

#endif
