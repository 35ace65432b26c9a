/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - what the files of the group driver share. */
#ifndef HEDDLE_DRIVERS_GROUP_PLAN_H
#define HEDDLE_DRIVERS_GROUP_PLAN_H

#include <heddle/group.h>

#include <pthread.h>
#include <stdatomic.h>

#include "kernels/group/group.h"

/* For tests and tuning, read when a group is made; 0 lets the driver choose. */
typedef struct hd__group_tuning {
    unsigned channels;
    unsigned units; /* slots of words of a channel */
    unsigned lines; /* lines of a channel, also where nobody knows that they arrive whole */
    unsigned chunk; /* bytes */
    unsigned word_threads, line_threads, chunk_threads;
    unsigned line_pause;   /* nanoseconds between two looks at lines that are not there */
    unsigned least_chunk;  /* bytes that a block gets at least, before there are more blocks */
    size_t one_shot_bytes; /* an all-reduce is one-shot up to so many bytes, two-shot up to ... */
    size_t two_shot_bytes;
    size_t line_bytes; /* reductions go in lines from so many bytes on, where there are lines */
    size_t move_word_bytes;  /* messages in words up to so many bytes */
    size_t broadcast_pieces; /* a broadcast goes in pieces from so many bytes on */
    size_t copies_bytes;     /* a reduction goes by copies from so many bytes on */
    size_t copy_least;       /* bytes of a chunk for copies at least */
    unsigned copy_parts;     /* chunks of a piece at least, where they are not shorter than that */
} hd__group_tuning;
extern hd__group_tuning hd__group_forced;
/* For tests where there are few devices: several ranks may have the same one. */
extern int hd__group_shared;

/* In mapped memory. */
typedef struct hd__group_signal {
    uint32_t stop;
    uint32_t unused[15];
    /* of each rank: changes while a block waits for long */
    uint64_t beat[HD__GROUP_RANKS][HD__GROUP_CHANNELS];
} hd__group_signal;

typedef struct hd__group_rank {
    int device;
    hd_stream *stream;         /* the group's own */
    _Atomic(hd_stream *) last; /* the stream that was given last */
    hd__group_place place;
    unsigned char *areas; /* on the device, where pairs are direct, or for the library */
    unsigned char *host_area[HD__GROUP_RANKS]; /* mapped memory that a rank writes and this reads */
    uint64_t *epochs;
    unsigned char *partials; /* of an array in parts: 16 bytes for each tile of the whole */
    hd_stream *way;          /* of copies to other ranks */
    hd_event *sent;          /* what was put there last is done */
    hd_event *step;
    atomic_ullong staged[HD__GROUP_RANKS]; /* bytes to each rank through mapped memory */
    void *library;                         /* the vendor's communicator */
} hd__group_rank;

struct hd_group {
    unsigned count;
    hd_group_options options; /* with the defaults put in */
    hd__group_tuning tuning;  /* the same */
    hd__group_layout layout;
    uint32_t direct[HD__GROUP_RANKS]; /* a bit for each rank that is reached directly */
    int all_direct;
    int whole_lines; /* between all ranks */
    int copies;      /* there are streams for copies */
    hd__group_signal *signal;
    hd__group_rank rank[HD__GROUP_RANKS];
    pthread_mutex_t lock; /* of the following */
    pthread_cond_t changed;
    pthread_t watch;
    struct hd__group_seen *seen; /* the watch's, of every rank and channel */
    int watching, ending;
    atomic_int failed;
    hd_status failure;
    char failure_text[320];
    void (*on_stop)(hd_group *group); /* NULL, or ends kernels that no stop word reaches */
};

typedef enum hd__group_kind {
    HD__GROUP_ALL_REDUCE,
    HD__GROUP_REDUCE,
    HD__GROUP_REDUCE_SCATTER,
    HD__GROUP_ALL_GATHER,
    HD__GROUP_BROADCAST,
    HD__GROUP_ALL_TO_ALL,
    HD__GROUP_SEND_RECEIVE,
    HD__GROUP_BARRIER
} hd__group_kind;

/* One rank's part of an operation. */
typedef struct hd__group_request {
    const char *call;
    hd__group_kind kind;
    const void *in;
    void *out;
    size_t n;
    hd_type type;
    hd_reduce_op op;
    unsigned root;
    const hd_group_message *messages;
    size_t count;
    hd_stream *stream; /* NULL: the group's */
} hd__group_request;

/* check.c: refuses what cannot be enqueued, and puts in the stream. Enqueues nothing. */
hd_status hd__group_check(hd_group *group, unsigned rank, hd__group_request *request);
/* run.c: of a request that was checked. */
hd_status hd__group_enqueue(hd_group *group, unsigned rank, const hd__group_request *request);

/* hd_group_send_receive in the name of another call. */
hd_status hd__group_send_receive(const char *call, hd_group *group,
                                 const hd_group_message *messages, size_t count,
                                 hd_stream *const *streams);

/* arrange.c: the memory of a group, before anything is allocated. */
hd_status hd__group_arrange(const char *call, hd_group *group);

/* ---- the choice of an algorithm (plan.c) ----------------------------------------------------- */

/* No rank has anything to do. */
int hd__group_request_empty(const hd__group_request *request);
/* A long array is cut into a piece for each of `parts` ranks, the last of which may be shorter. */
uint64_t hd__group_piece(uint64_t bytes, unsigned parts);
int hd__group_broadcast_in_pieces(const hd_group *group, uint64_t bytes);
/* How an all-reduce (or reduce, reduce-scatter) of a vector of `bytes` bytes goes. */
hd_group_algorithm hd__group_choose(const hd_group *group, hd__group_kind kind, size_t bytes,
                                    hd_type type);
/* Blocks and threads of kernels of words for `units` units, of chunks for messages of `bytes` in so
   many lanes, for which it also sets the size of chunks. */
void hd__group_word_shape(const hd_group *group, size_t units, unsigned *blocks, unsigned *threads);
void hd__group_chunk_shape(const hd_group *group, size_t bytes, unsigned lanes,
                           hd__group_place *place, unsigned *blocks, unsigned *threads);
/* The same for lines of messages of `bytes`, of which there are `parts` kinds; 0: they are too
   long. */
int hd__group_line_shape(const hd_group *group, size_t bytes, unsigned parts, unsigned *blocks,
                         unsigned *threads);
/* Units that slots of `parts` kinds hold. */
int hd__group_words_fit(const hd_group *group, size_t units, unsigned parts);
/* A one-shot or two-shot reduction of `total` bytes, in messages of `bytes`, goes in lines. */
int hd__group_in_lines(const hd_group *group, hd_group_algorithm how, size_t total, size_t bytes);
unsigned hd__group_op(hd_type type, hd_reduce_op op);
const hd_kernel *hd__group_kernel(hd_group_algorithm algorithm, int in_lines, hd_type type);

/* Bytes of a slot for copies, and of a chunk of a piece; whether pieces can go by copies. */
uint64_t hd__group_copy_slot(const hd__group_layout *layout);
uint64_t hd__group_copy_chunk(const hd_group *group, uint64_t piece);
int hd__group_copies_fit(const hd_group *group, uint64_t piece);

/* ---- one kernel (launch.c) ------------------------------------------------------------------- */

/* The group's operations on rank r went to this stream last. */
void hd__group_stream_used(hd_group *group, unsigned r, hd_stream *stream);
/* One kernel of rank r, whose one argument `task` points to. */
hd_status hd__group_launch(hd_group *group, unsigned r, const hd_kernel *kernel, unsigned blocks,
                           unsigned threads, void *task, hd_stream *stream);

/* ---- by copies (copies.c) -------------------------------------------------------------------- */

hd_status hd__group_copies_open(hd_group *group, unsigned r);
hd_status hd__group_copies_close(hd_group *group, unsigned r);
/* An all-reduce or reduce-scatter. */
hd_status hd__group_copies_reduce(hd_group *group, unsigned r, const hd__group_fold_task *t,
                                  hd_type type, hd_stream *stream);
/* Whether an all-gather or all-to-all of so many bytes for each pair goes by copies. */
int hd__group_copies_move(const hd_group *group, uint64_t bytes);
/* Enqueues it. */
hd_status hd__group_copies_exchange(hd_group *group, unsigned r, const hd__group_request *q,
                                    uint64_t bytes);

/* ---- the vendor's library (library.c) -------------------------------------------------------- */

hd_status hd__group_library_open(const char *call, hd_group *group);
void hd__group_library_close(hd_group *group);
/* Whether the group's work goes there: a group of one copies. */
int hd__group_library_used(const hd_group *group);
/* Ranks first ... end - 1 at once, whose requests, checked ones of one operation, are in parts. */
hd_status hd__group_library_enqueue(hd_group *group, unsigned first, unsigned end,
                                    const hd__group_request *parts);

/* ---- failures (state.c) ---------------------------------------------------------------------- */

/* Tells the group to stop, the first time for good: later calls return this status. */
void hd__group_fail(hd_group *group, hd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* HD_OK, or the group's failure. */
hd_status hd__group_state(const char *call, hd_group *group);
/* What a call returned, with the rank put before the text. */
hd_status hd__group_named(const char *call, const hd_group *group, unsigned rank, hd_status status);

/* ---- who finds failures (watch.c) ------------------------------------------------------------ */

hd_status hd__group_watch_start(const char *call, hd_group *group);
void hd__group_watch_end(hd_group *group);
/* Waits for the streams of ranks first ... end - 1. */
hd_status hd__group_wait(const char *call, hd_group *group, unsigned first, unsigned end);

#endif
