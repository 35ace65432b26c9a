/* SPDX-License-Identifier: Apache-2.0 */
/* group.h - the kernels of collectives as host code sees them, and the memory that ranks share. The
   protocols are described in docs/collectives.md.

   A channel is one block of every rank: block c of a rank exchanges data with block c of the other
   ranks and with no other block. Its epoch, the number of operations that it took part in, is kept
   on the device, so that a captured launch may be replayed. For each pair of ranks and each
   direction there is an area that the sender writes and the receiver reads: in the receiver's
   device memory, or in mapped host memory where the sender has no access to that.

   Why areas are reused safely: before a channel ends operation e, it has learned from every other
   rank that this rank began operation e. So when a rank begins operation e, all ranks have finished
   operation e - 2, and the memory of that operation may be overwritten: areas exist twice, for even
   and odd epochs. */
#ifndef HEDDLE_KERNELS_GROUP_H
#define HEDDLE_KERNELS_GROUP_H

#include <heddle/kernel_decl.h>

enum {
    HD__GROUP_RANKS = 32,     /* at most */
    HD__GROUP_CHANNELS = 256, /* at most */
    HD__GROUP_THREADS = 512,  /* maximum for a block that moves chunks */
    HD__GROUP_WORD_THREADS = 256,
    HD__GROUP_LINE_THREADS = 512,
    HD__GROUP_DEPTH = 2,      /* chunks in flight from one rank to another, per lane */
    HD__GROUP_LANES = 2,      /* one for chunks to be reduced, one for results */
    HD__GROUP_COPY_DEPTH = 3, /* slots of a lane for copies */
    HD__GROUP_TURN_THREADS = 64,
    HD__GROUP_STEP_BITS = 24,   /* low bits of a flag; the others hold the epoch */
    HD__GROUP_UNIT = 8,         /* bytes of data in a slot of 16 bytes */
    HD__GROUP_LINE_BYTES = 128, /* of a line of words.h, which host code cannot include: */
    HD__GROUP_LINE_DATA = 120   /* line.inc checks that they agree */
};

/* How an operation combines two elements: _S for signed integers. */
enum {
    HD__GROUP_SUM,
    HD__GROUP_PROD,
    HD__GROUP_MIN,
    HD__GROUP_MAX,
    HD__GROUP_MIN_S,
    HD__GROUP_MAX_S
};

/* The flags of a channel in an area, all written by the sender. filled: number of steps of this
   epoch that it has sent; freed: number of steps in the opposite direction that it has read. */
typedef struct HD_ALIGN(64) hd__group_line {
    uint64_t begun; /* the epoch */
    uint64_t filled[HD__GROUP_LANES];
    uint64_t freed[HD__GROUP_LANES];
    uint64_t unused[3];
} hd__group_line;

/* Layout of an area: flags, slots of words, lines, chunks, the number of the sender's last turn.
   Copies use the memory of the chunks. The layout depends on the options alone and is the same on
   every rank. */
typedef struct hd__group_layout {
    uint32_t channels;
    uint32_t units;  /* slots of words of a channel and parity */
    uint32_t lines;  /* lines of a channel and parity, each of HD__GROUP_LINE_BYTES */
    uint32_t lanes;  /* of this operation; with one lane, chunks may be twice as long */
    uint32_t stride; /* bytes between its chunks */
    uint32_t chunk;  /* bytes of a chunk, a multiple of 16, at most stride */
    uint64_t lines_at;
    uint64_t chunks_at;
    uint64_t turn_at;
    uint64_t bytes; /* of the area */
} hd__group_layout;

/* A rank's view of the group; the same for all its launches, except `meet`. */
typedef struct hd__group_place {
    unsigned char *to[HD__GROUP_RANKS];         /* areas that this rank writes */
    const unsigned char *from[HD__GROUP_RANKS]; /* areas that this rank reads */
    uint64_t *epochs;     /* per channel, followed by the number of turns so far */
    const uint32_t *stop; /* in mapped memory: not 0 once the group is aborted */
    uint64_t *beat;       /* in mapped memory, per channel: heartbeat, changes during a long wait */
    hd__group_layout layout;
    uint32_t ranks, me;
    uint32_t meet;  /* a barrier is needed: data alone do not show that every rank has begun */
    uint32_t pause; /* nanoseconds between two polls of a line, in large grids */
} hd__group_place;

/* Reductions. `in` is cut into one piece per rank: piece p begins at p * piece and has `piece`
   bytes, less at the end of `total`. Rank p reduces piece p of all ranks. It stores the result at
   out + own_at if out is not NULL, and sends it to the ranks in `targets`, which store it at out +
   p * piece. */
typedef struct hd__group_fold_task {
    hd__group_place place;
    const unsigned char *in;
    unsigned char *out;
    uint64_t total, piece, own_at;
    uint32_t op;
    uint32_t targets;  /* a bit for each rank */
    uint32_t collects; /* this rank is a target of the others */
    uint32_t unused;
} hd__group_fold_task;

/* One kernel between two turns of a reduction by copies. It reduces `fold_bytes` bytes at fold_at
   of this rank's piece; the other ranks' operands are at fold_slot of their areas. It receives
   collect_bytes bytes at collect_at of every other piece of `out`. 0 bytes: nothing. `own`: where
   to copy this rank's piece of `out`, or NULL. */
typedef struct hd__group_step_task {
    hd__group_fold_task fold;
    uint64_t fold_bytes, fold_at, fold_slot;
    uint64_t collect_bytes, collect_at, collect_slot;
    const unsigned char *own;
} hd__group_step_task;

/* Moves: the message that this rank sends to each rank and receives from it; 0 bytes: none. A
   message to itself is a copy. */
typedef struct hd__group_move_task {
    hd__group_place place;
    struct {
        const unsigned char *data;
        uint64_t bytes;
    } send[HD__GROUP_RANKS];
    struct {
        unsigned char *data;
        uint64_t bytes;
    } receive[HD__GROUP_RANKS];
    uint64_t most; /* bytes of the longest message among all ranks */
} hd__group_move_task;

/* A broadcast of `total` bytes at `data`, cut into a piece of `piece` bytes for each rank except
   the root; the last pieces may be shorter or empty. The rank after the root has the first piece.
   */
typedef struct hd__group_broadcast_task {
    hd__group_place place;
    unsigned char *data;
    uint64_t total, piece;
    uint32_t root;
    uint32_t unused;
} hd__group_broadcast_task;

/* X(type): elements by their size and kind; min and max of signed integers are operations. */
#define HD__GROUP_TYPE_LIST(X) X(u8) X(u16) X(u32) X(u64) X(f16) X(bf16) X(f32) X(f64)

/* one_shot: every rank sends its whole array to each rank that wants the result, in words.
   two_shot: reduce-scatter of pieces, then all-gather, in words. _lines: the same in lines. direct:
   pieces in chunks. chain: from rank to rank in chunks, and back. step: the kernel between two
   copies. */
#define HD__GROUP_DECLARE(type)                                                                    \
    HD_DECLARE(hd__group_one_shot_##type, hd__group_fold_task)                                     \
    HD_DECLARE(hd__group_two_shot_##type, hd__group_fold_task)                                     \
    HD_DECLARE(hd__group_one_shot_lines_##type, hd__group_fold_task)                               \
    HD_DECLARE(hd__group_two_shot_lines_##type, hd__group_fold_task)                               \
    HD_DECLARE(hd__group_direct_##type, hd__group_fold_task)                                       \
    HD_DECLARE(hd__group_chain_##type, hd__group_fold_task)                                        \
    HD_DECLARE(hd__group_step_##type, hd__group_step_task)
HD__GROUP_TYPE_LIST(HD__GROUP_DECLARE)
#undef HD__GROUP_DECLARE
HD_DECLARE(hd__group_turn, hd__group_place)
HD_DECLARE(hd__group_move_words, hd__group_move_task)
HD_DECLARE(hd__group_move_chunks, hd__group_move_task)
HD_DECLARE(hd__group_broadcast, hd__group_broadcast_task)

#endif
