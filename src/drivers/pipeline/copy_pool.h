/* SPDX-License-Identifier: Apache-2.0 */
/* copy_pool.h - host threads that copy host memory together. */
#ifndef HEDDLE_DRIVERS_PIPELINE_COPY_POOL_H
#define HEDDLE_DRIVERS_PIPELINE_COPY_POOL_H

#include <heddle/heddle.h>

typedef struct hd__copy_pool hd__copy_pool;

/* Three quarters of this machine's processors, 16 at most, 1 at least. */
unsigned hd__copy_threads(void);

/* `threads` count the one that calls; 1 makes no thread. Where fewer can be made, fewer copy. */
hd_status hd__copy_pool_create(unsigned threads, hd__copy_pool **pool);
/* Nobody may be copying. NULL does nothing. */
void hd__copy_pool_destroy(hd__copy_pool *pool);

/* Copies ranges that do not overlap; returns when it is done. Several threads may call it. Large
   copies use stores that pass by the caches: what is written is next read by the device. */
void hd__copy_pool_copy(hd__copy_pool *pool, void *to, const void *from, size_t bytes);

#endif
