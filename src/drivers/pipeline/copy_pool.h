/* SPDX-License-Identifier: Apache-2.0 */
/* copy_pool.h - host threads that copy host memory together. */
#ifndef HEDDLE_DRIVERS_PIPELINE_COPY_POOL_H
#define HEDDLE_DRIVERS_PIPELINE_COPY_POOL_H

#include <heddle/heddle.h>

typedef struct hd__copy_pool hd__copy_pool;

/* Three quarters of this machine's processors, but at least 1 and at most 16. */
unsigned hd__copy_threads(void);

/* `threads` includes the calling thread; 1 creates none. If fewer can be created, fewer copy. */
hd_status hd__copy_pool_create(unsigned threads, hd__copy_pool **pool);
/* No copy may be in progress. NULL does nothing. */
void hd__copy_pool_destroy(hd__copy_pool *pool);

/* Copies ranges that do not overlap; returns when the copy is complete. Several threads may call
   it. Large copies use non-temporal stores: the next reader is the device. */
void hd__copy_pool_copy(hd__copy_pool *pool, void *to, const void *from, size_t bytes);

#endif
