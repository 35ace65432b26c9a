/* SPDX-License-Identifier: Apache-2.0 */
/* puts.h - stores to memory of other devices, also of other processes, and words that publish their
   arrival. */
#ifndef HEDDLE_KERNELS_PEER_PUTS_H
#define HEDDLE_KERNELS_PEER_PUTS_H

#include <heddle/kernel_decl.h>
#include <heddle/types.h>

enum { HD__PUTS_MAX = 8, HD__PUTS_THREADS = 256, HD__PUTS_BLOCKS = 64 };

/* One transfer; fastest if `from` and `to` are aligned to 16 bytes. */
typedef struct hd__put {
    const unsigned char *from;
    unsigned char *to;
    uint64_t bytes; /* 0: stores only the word */
    uint64_t *word; /* in HD_MEM_COHERENT */
    uint64_t value;
} hd__put;

/* Completion, which the host polls instead of an event. */
typedef struct hd__puts_done {
    uint64_t *word; /* set to `value` when all bytes have been stored; NULL: not wanted */
    uint64_t value;
} hd__puts_done;

typedef struct hd__puts {
    hd__put put[HD__PUTS_MAX];
    uint32_t count;
    unsigned *ticket; /* 0 before and after each launch */
    hd__puts_done done;
} hd__puts;

typedef struct hd__awaited {
    const uint64_t *word;
    uint64_t value;
} hd__awaited;

typedef struct hd__awaits {
    hd__awaited of[HD__PUTS_MAX];
    uint32_t count;
} hd__awaits;

typedef struct hd__take {
    hd__awaited word;
    const unsigned char *from;
    unsigned char *to;
    uint64_t bytes;
} hd__take;

typedef struct hd__takes {
    hd__take take[HD__PUTS_MAX];
    uint32_t count;
    unsigned *ticket; /* not the one of hd__puts */
    hd__puts_done done;
} hd__takes;

HD_DECLARE(hd__puts_send, hd__puts)
HD_DECLARE(hd__puts_await, hd__awaits)
HD_DECLARE(hd__puts_exchange, hd__puts, hd__takes)

#endif
