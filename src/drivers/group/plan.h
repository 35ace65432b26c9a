/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - internal interface of the group driver's files. */
#ifndef HEDDLE_DRIVERS_GROUP_PLAN_H
#define HEDDLE_DRIVERS_GROUP_PLAN_H

#include <heddle/group.h>

#include <pthread.h>
#include <stdatomic.h>

#include "kernels/group/group.h"

/* For tests and tuning, read when a group is made; 0 lets the driver choose. */
typedef struct hd__group_tuning {
    unsigned channels;
    unsigned units; /* slots for words in a channel */
    unsigned lines; /* lines in a channel; if set, used even if they may not arrive whole */
    unsigned chunk; /* bytes */
    unsigned word_threads, line_threads, chunk_threads;
    unsigned line_pause;   /* nanoseconds between two polls of a line that has not arrived */
    unsigned least_chunk;  /* minimum bytes of a block before more blocks are launched */
    size_t one_shot_bytes; /* largest one-shot all-reduce, in bytes; then largest two-shot one */
    size_t two_shot_bytes;
    size_t line_bytes;       /* smallest reduction that goes in lines, if there are lines */
    size_t move_word_bytes;  /* largest message that goes in words */
    size_t broadcast_pieces; /* smallest broadcast that goes in pieces */
    size_t copies_bytes;     /* smallest reduction that goes by copies */
    size_t copy_least;       /* minimum bytes of a chunk for copies */
    unsigned copy_parts;     /* minimum chunks of a piece, unless shorter than copy_least */
} hd__group_tuning;
extern hd__group_tuning hd__group_forced;
/* For tests on machines with few devices: several ranks may share a device. */
extern int hd__group_shared;

/* In mapped memory. */
typedef struct hd__group_signal {
    uint32_t stop;
    uint32_t unused[15];
    /* of each rank and channel: changes while a block of the channel waits */
    uint64_t beat[HD__GROUP_RANKS][HD__GROUP_CHANNELS];
} hd__group_signal;

typedef struct hd__group_rank {
    int device;
    hd_stream *stream;         /* the group's own */
    _Atomic(hd_stream *) last; /* the stream of the last operation */
    hd__group_place place;
    unsigned char *areas; /* on the device, for ranks with peer access or the library */
    unsigned char *host_area[HD__GROUP_RANKS]; /* mapped; that rank writes, this one reads */
    uint64_t *epochs;
    unsigned char *partials; /* for arrays in parts: 16 bytes for each tile of the whole array */
    hd_stream *copy_stream;  /* copies to other ranks */
    hd_event *sent;          /* recorded after the last of these copies */
    hd_event *step;
    atomic_ullong staged[HD__GROUP_RANKS]; /* bytes to each rank through mapped memory */
    void *library;                         /* the vendor's communicator */
} hd__group_rank;

struct hd_group {
    unsigned count;
    hd_group_options options; /* defaults filled in */
    hd__group_tuning tuning;  /* defaults filled in */
    hd__group_layout layout;
    uint32_t direct[HD__GROUP_RANKS]; /* one bit per rank with peer access */
    int all_direct;
    int whole_lines; /* lines arrive whole between all ranks */
    int copies;      /* ranks have streams for copies */
    hd__group_signal *signal;
    hd__group_rank rank[HD__GROUP_RANKS];
    pthread_mutex_t lock; /* guards the following */
    pthread_cond_t changed;
    pthread_t watch;
    struct hd__group_seen *seen; /* state of the watch thread, for every rank and channel */
    int watching, ending;
    atomic_int failed;
    hd_status failure;
    char failure_text[320];
    void (*on_stop)(hd_group *group); /* ends kernels that do not poll the stop word; may be NULL */
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

/* check.c: rejects what cannot be enqueued, and fills in the stream. Enqueues nothing. */
hd_status hd__group_check(hd_group *group, unsigned rank, hd__group_request *request);
/* run.c: enqueues a checked request. */
hd_status hd__group_enqueue(hd_group *group, unsigned rank, const hd__group_request *request);

/* hd_group_send_receive on behalf of another call. */
hd_status hd__group_send_receive(const char *call, hd_group *group,
                                 const hd_group_message *messages, size_t count,
                                 hd_stream *const *streams);

/* arrange.c: computes the memory layout of a group; call it before allocating. */
hd_status hd__group_arrange(const char *call, hd_group *group);

/* ---- the choice of an algorithm (plan.c) ----------------------------------------------------- */

/* No rank has any work. */
int hd__group_request_empty(const hd__group_request *request);
/* Bytes of the pieces into which a long array is split, one for each of `parts` ranks; the last
   piece may be shorter. */
uint64_t hd__group_piece(uint64_t bytes, unsigned parts);
int hd__group_broadcast_in_pieces(const hd_group *group, uint64_t bytes);
/* Algorithm of an all-reduce (or reduce, reduce-scatter) of `bytes` bytes. */
hd_group_algorithm hd__group_choose(const hd_group *group, hd__group_kind kind, size_t bytes,
                                    hd_type type);
/* Blocks and threads: of kernels that send `units` units in words; of kernels that send messages of
   `bytes` bytes in chunks over `lanes` lanes, which also sets the chunk size. */
void hd__group_word_shape(const hd_group *group, size_t units, unsigned *blocks, unsigned *threads);
void hd__group_chunk_shape(const hd_group *group, size_t bytes, unsigned lanes,
                           hd__group_place *place, unsigned *blocks, unsigned *threads);
/* The same for `parts` messages of `bytes` bytes in lines. Returns 0 if they are too long for
   lines. */
int hd__group_line_shape(const hd_group *group, size_t bytes, unsigned parts, unsigned *blocks,
                         unsigned *threads);
/* Whether `parts` messages of `units` units each fit in the slots. */
int hd__group_words_fit(const hd_group *group, size_t units, unsigned parts);
/* Whether a one-shot or two-shot reduction of `total` bytes, in messages of `bytes`, goes in
   lines. */
int hd__group_in_lines(const hd_group *group, hd_group_algorithm how, size_t total, size_t bytes);
unsigned hd__group_op(hd_type type, hd_reduce_op op);
const hd_kernel *hd__group_kernel(hd_group_algorithm algorithm, int in_lines, hd_type type);

/* Bytes of a slot for copies; bytes of a chunk of a piece; whether pieces can go by copies. */
uint64_t hd__group_copy_slot(const hd__group_layout *layout);
uint64_t hd__group_copy_chunk(const hd_group *group, uint64_t piece);
int hd__group_copies_fit(const hd_group *group, uint64_t piece);

/* ---- one kernel (launch.c) ------------------------------------------------------------------- */

/* Records that the group's last operation on rank r went to this stream. */
void hd__group_stream_used(hd_group *group, unsigned r, hd_stream *stream);
/* Launches a kernel of rank r, whose one argument is *task. */
hd_status hd__group_launch(hd_group *group, unsigned r, const hd_kernel *kernel, unsigned blocks,
                           unsigned threads, void *task, hd_stream *stream);

/* ---- by copies (copies.c) -------------------------------------------------------------------- */

hd_status hd__group_copies_open(hd_group *group, unsigned r);
hd_status hd__group_copies_close(hd_group *group, unsigned r);
/* Enqueues an all-reduce or reduce-scatter. */
hd_status hd__group_copies_reduce(hd_group *group, unsigned r, const hd__group_fold_task *t,
                                  hd_type type, hd_stream *stream);
/* Whether an all-gather or all-to-all of `bytes` bytes per pair goes by copies. */
int hd__group_copies_move(const hd_group *group, uint64_t bytes);
/* Enqueues an all-gather or all-to-all. */
hd_status hd__group_copies_exchange(hd_group *group, unsigned r, const hd__group_request *q,
                                    uint64_t bytes);

/* ---- the vendor's library (library.c) -------------------------------------------------------- */

hd_status hd__group_library_open(const char *call, hd_group *group);
void hd__group_library_close(hd_group *group);
/* Whether the group's operations use the library; a group of one rank copies instead. */
int hd__group_library_used(const hd_group *group);
/* Enqueues ranks first to end - 1 at once; `parts` has their requests, checked and of one
   operation. */
hd_status hd__group_library_enqueue(hd_group *group, unsigned first, unsigned end,
                                    const hd__group_request *parts);

/* ---- failures (state.c) ---------------------------------------------------------------------- */

/* Marks the group as failed and stops its kernels. Only the first failure is kept; later calls
   return its status. */
void hd__group_fail(hd_group *group, hd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* HD_OK, or the group's failure. */
hd_status hd__group_state(const char *call, hd_group *group);
/* Returns `status`, with the rank put in front of the error's text. */
hd_status hd__group_named(const char *call, const hd_group *group, unsigned rank, hd_status status);

/* ---- detection of failures (watch.c) --------------------------------------------------------- */

hd_status hd__group_watch_start(const char *call, hd_group *group);
void hd__group_watch_end(hd_group *group);
/* Waits for the streams of ranks first ... end - 1. */
hd_status hd__group_wait(const char *call, hd_group *group, unsigned first, unsigned end);

#endif
