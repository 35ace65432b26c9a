/* SPDX-License-Identifier: Apache-2.0 */
/* traffic.h - cost of a warp's access on a GPU: 32-byte sectors of global memory, passes over the
   32 banks of shared memory. Computed from addresses alone. */
#ifndef HEDDLE_CPU_CHECK_PROFILE_TRAFFIC_H
#define HEDDLE_CPU_CHECK_PROFILE_TRAFFIC_H

#include <stdint.h>

enum { HD_CHECK_REQUEST_LANES = 64 };

/* One instruction, executed together by a set of lanes. */
typedef struct hd_check_request {
    uint64_t lanes;
    uint64_t address[HD_CHECK_REQUEST_LANES];
    uint16_t bytes[HD_CHECK_REQUEST_LANES];
} hd_check_request;

typedef struct hd_check_traffic {
    unsigned transactions; /* sectors; or passes over the banks */
    unsigned ideal;        /* minimum for that many distinct bytes; or for that many phases */
    unsigned lines;        /* 128-byte lines; 0 for shared memory */
    unsigned words;        /* distinct words of 4 bytes; 0 for shared memory */
    unsigned degree;       /* maximum number of words in one bank and phase; 0 for global memory */
} hd_check_traffic;

/* Merges accesses that compilers have split from a vector access. If the same lanes make both
   requests, and the bytes of each lane are adjacent within 16 aligned bytes, `request` becomes the
   union. 0: not merged. */
int hd_check_request_join(hd_check_request *request, const hd_check_request *other);

/* Sectors that the lanes touch, compared with the bytes that they use. Lanes with the same address
   share sectors. Only the first 128 bytes of an access count. */
hd_check_traffic hd_check_traffic_global(const hd_check_request *request);

/* 32 banks of 4 bytes. Accesses of up to 4, 8 and 16 bytes take phases of 32, 16 and 8 lanes;
   larger ones are split into pieces of 16 bytes. A word that several lanes read counts once. */
hd_check_traffic hd_check_traffic_shared(const hd_check_request *request);

#endif
