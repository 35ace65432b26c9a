/* SPDX-License-Identifier: Apache-2.0 */
/* counters.h - counts of a kernel's memory requests, from the addresses that its threads used. Part
   of the interface that a backend implements (backend.h); only the CPU engine with the checker
   counts. */
#ifndef HEDDLE_RUNTIME_COUNTERS_H
#define HEDDLE_RUNTIME_COUNTERS_H

#include <heddle/heddle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A request is one instruction that lanes of a warp execute together. */
typedef struct hdb_access_counts {
    uint64_t requests;
    uint64_t lanes;        /* active lanes, over all requests */
    uint64_t transactions; /* 32-byte sectors; shared memory: passes over 32 banks of 4 bytes */
    uint64_t lines;        /* 128-byte lines; shared memory: 0 */
    uint64_t words;        /* distinct words of 4 bytes; shared memory: 0 */
    uint64_t degree;       /* shared memory: maximum number of words in one bank at once */
} hdb_access_counts;

typedef struct hdb_counters {
    uint64_t blocks;
    hdb_access_counts global_read, global_write, shared_read, shared_write;
} hdb_counters;

/* Counts in every block of the kernel's launches from now on, from 0; the checker reports no
   performance findings for them. A thread's requests and branches are counted up to 512 between two
   barriers, later ones are not. HD_ERR_UNSUPPORTED: this backend does not count. */
hd_status hdb_counters_start(const hd_kernel *kernel);
/* Ends it. The launches have completed. Counters of a kernel that was not started are 0. */
void hdb_counters_stop(const hd_kernel *kernel, hdb_counters *counters_out);

#ifdef __cplusplus
}
#endif

#endif
