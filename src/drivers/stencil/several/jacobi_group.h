/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi_group.h - what the files of the Jacobi driver for several devices share. */
#ifndef HEDDLE_DRIVERS_STENCIL_SEVERAL_JACOBI_GROUP_H
#define HEDDLE_DRIVERS_STENCIL_SEVERAL_JACOBI_GROUP_H

#include <heddle/graph.h>
#include <heddle/jacobi_group.h>

#include "drivers/stencil/jacobi_plan.h"
#include "threads.h"

/* Partial sums of norms are kept for some sweeps in two halves that take turns: one is folded while
   the other is filled. */
enum { HD__JACOBI_SLOTS_MOST = 64, HD__JACOBI_HALVES = 2, HD__JACOBI_ROWS_BEYOND = 16 };

/* For tests and tuning; 0: the driver chooses. `slots`: sweeps of a half. `passes`: of a launch of
   `persistent` or of a graph. */
typedef struct hd__jacobi_group_force {
    unsigned slots, passes;
} hd__jacobi_group_force;
extern hd__jacobi_group_force hd__jacobi_group_forced;

/* Which partial sums of a sweep a row of tiles folds: its own from `lead` on, then `tail` of the
   rows of tiles below, whose tile of sums began here. Numbers are of all sums in their order. */
typedef struct hd__jacobi_share {
    uint64_t first, count; /* its own sums */
    uint64_t lead;         /* the first ones, which `taker` folds */
    unsigned taker;        /* a row of tiles */
    uint64_t lead_at;      /* where they go in its tail */
    uint64_t tail;
    uint32_t tile, tiles; /* of sums: the first one, and how many */
} hd__jacobi_share;

/* Arguments of a part's linked kernels; all 0 when a field is loaded. */
typedef struct hd__jacobi_words {
    uint64_t arrived[2][HD__JACOBI_TURNS]; /* [side]: passes of the neighbour */
    uint64_t unseen[2][HD__JACOBI_TURNS];  /* [side]: flags that no one waits for */
    uint64_t released;
} hd__jacobi_words;

/* Memory for norms, of each half. */
typedef struct hd__jacobi_part_sums {
    void *own[HD__JACOBI_HALVES];      /* [slot][band][quad], of the part's own quads */
    void *rows[HD__JACOBI_HALVES];     /* of the whole row of tiles; is own where it is one tile */
    void *gathered[HD__JACOBI_HALVES]; /* sums of the other tiles of the row, one after another */
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
    void *first[2];                /* the first own cell */
    hd_stream *main, *edge, *side; /* sweeps; outermost rows and copies; sums */
    hd_event *swept, *edged;       /* of the last pass */
    hd_event *joined;              /* graphs: before or after one */
    /* linked kernels */
    hd__jacobi_words *words; /* coherent */
    uint32_t *done;          /* hd__jacobi_done_words, the last of which is the ticket */
    hd__jacobi_part_sums sums;
} hd__jacobi_part;

/* Words at `done`: one for each band, two at least (a single pass counts the low and the high side
   in them), and the ticket. */
static inline size_t hd__jacobi_done_words(const hd__jacobi_part *part)
{
    return (part->bands < 2 ? 2 : part->bands) + (size_t)1;
}

/* A half that is folded, and the norms that come of it. */
typedef struct hd__jacobi_half {
    unsigned used;                         /* slots */
    double *wanted[HD__JACOBI_SLOTS_MOST]; /* where the norm of a slot goes; NULL: nowhere */
    int folding;
} hd__jacobi_half;

/* exchange.c: halos. */
typedef struct hd__jacobi_exchange {
    hd_halo *halo;        /* NULL for one part */
    hd_group *collective; /* of ccl; NULL after a failure, until a field is loaded */
    hd_group_transport transport;
    hd_halo_field *fields;
    hd_stream **streams;
} hd__jacobi_exchange;

/* field.c: where the field is; run.c and graph.c move it on after a pass. */
typedef struct hd__jacobi_field {
    unsigned turn; /* it is in memory[turn] */
    uint64_t made; /* passes since it was loaded */
    int loaded;
} hd__jacobi_field;

/* sums.c: norms. */
typedef struct hd__jacobi_sums {
    uint64_t count;           /* of a sweep */
    unsigned slots;           /* of a half */
    hd__jacobi_share *shares; /* of rows of tiles */
    hd__jacobi_half halves[HD__JACOBI_HALVES];
    unsigned half;
} hd__jacobi_sums;

/* graph.c: graphs of `passes` passes: plain, and with sums into each half. */
typedef struct hd__jacobi_graphs {
    hd_graph_exec *exec[1 + HD__JACOBI_HALVES];
    unsigned passes;
    int capturing; /* by the caller's thread, which then does everything */
} hd__jacobi_graphs;

/* What jacobi_group.c decides, which others only read, and what each of the other files writes. */
struct hd_jacobi_group {
    const char *call; /* the public one, for errors */
    hd_type type;
    size_t element;
    hd_domain domain;
    unsigned count, rows; /* parts; rows of tiles */
    hd_jacobi_variant variant;
    unsigned depth;
    uint32_t band, quads;
    int stores;                  /* sweeps store at the neighbours */
    hd__jacobi_threads *threads; /* NULL: the caller's thread */
    hd__jacobi_exchange exchange;
    hd__jacobi_field field;
    hd__jacobi_sums sums;
    hd__jacobi_graphs graphs;
    hd__jacobi_part parts[];
};

/* A pass as its phases see it. */
typedef struct hd__jacobi_step {
    unsigned depth, passes; /* sweeps of a pass; passes of a launch, 0: one, given */
    int norms;
    unsigned slot; /* of the current half, with norms */
} hd__jacobi_step;

/* phases.c: does `phase` for every part, by the part's thread if there are threads, and returns
   when all are done; the first failure, with its detail. */
typedef hd_status hd__jacobi_phase(hd_jacobi_group *g, unsigned part, void *argument);
hd_status hd__jacobi_each(hd_jacobi_group *g, hd__jacobi_phase *phase, void *argument);
/* Sweeps that the next pass makes when `left` are left. */
unsigned hd__jacobi_group_depth(const hd_jacobi_group *g, size_t left);

/* pass.c: one step by the group's variant. The caller moves turn and made on. */
hd_status hd__jacobi_group_step(hd_jacobi_group *g, const hd__jacobi_step *step);
/* exchange.c. The group of variant ccl that carries halos, if there is none yet. */
hd_status hd__jacobi_group_collective(hd_jacobi_group *g);
/* The exchange of halos on the streams main (edge 0) or edge, of the fields memory[turn]. */
hd_status hd__jacobi_group_exchange(hd_jacobi_group *g, unsigned turn, int edge);

/* wait.c: until the work of all parts has ended, or the fold of `half` (NULL: the
   former). Returns at the first failure, which names the part, while others may still wait. */
hd_status hd__jacobi_group_wait(hd_jacobi_group *g, const unsigned *half);
/* release.c, after a failure: kernels that wait for a neighbour whose work was never issued, or
   failed, go on, and the work of all parts ends. The field is lost; the last error is kept. */
void hd__jacobi_group_release(hd_jacobi_group *g);

/* sums.c */
hd_status hd__jacobi_sums_open(hd_jacobi_group *g);
void hd__jacobi_sums_close(hd_jacobi_group *g);
/* Room for `count` slots in the current half, of which the first is *slot. */
hd_status hd__jacobi_sums_room(hd_jacobi_group *g, unsigned count, unsigned *slot);
/* The norm of this slot of the current half goes there; NULL: nowhere. */
void hd__jacobi_sums_want(hd_jacobi_group *g, unsigned slot, double *norm);
/* After a failure: no norms are wanted any more. */
void hd__jacobi_sums_forget(hd_jacobi_group *g);
/* Begins the fold of the current half, and takes the other one, after its norms are there. */
hd_status hd__jacobi_sums_turn(hd_jacobi_group *g);
/* Norms of everything are there. */
hd_status hd__jacobi_sums_finish(hd_jacobi_group *g);

/* graph.c: makes passes by graphs from sweep `at` on while it can; *left are left of
   what is asked for, with norms of every `every`th sweep (0: none). */
hd_status hd__jacobi_group_graphs(hd_jacobi_group *g, size_t at, size_t every, double *norms,
                                  size_t *left);
void hd__jacobi_graphs_close(hd_jacobi_group *g);

#endif
