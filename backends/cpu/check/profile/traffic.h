/* SPDX-License-Identifier: Apache-2.0 */
/* traffic.h - what one access of a warp costs on a GPU: 32-byte sectors of global memory, passes
   over the 32 banks of shared memory. Plain arithmetic on addresses. */
#ifndef HEDDLE_CPU_CHECK_PROFILE_TRAFFIC_H
#define HEDDLE_CPU_CHECK_PROFILE_TRAFFIC_H

#include <stdint.h>

enum { HD_CHECK_REQUEST_LANES = 64 };

/* One instruction, executed together by the lanes of the set. */
typedef struct hd_check_request {
    uint64_t lanes;
    uint64_t address[HD_CHECK_REQUEST_LANES];
    uint16_t bytes[HD_CHECK_REQUEST_LANES];
} hd_check_request;

typedef struct hd_check_traffic {
    unsigned transactions; /* sectors; passes over the banks */
    unsigned ideal;        /* the least for as many different bytes; for as many phases */
    unsigned lines;        /* of 128 bytes; 0 for shared memory */
    unsigned degree;       /* most words of one bank in one phase; 0 for global memory */
} hd_check_traffic;

/* Compilers cut vectors into their elements. If both requests are made by the same lanes, and for
   each lane use neighbouring bytes of 16 aligned ones, `request` becomes both of them. 0: they do
   not. */
int hd_check_request_join(hd_check_request *request, const hd_check_request *other);

/* Sectors that the lanes touch, against the bytes that they use. Lanes of the same address share
   theirs. Of an access of more than 128 bytes the first 128 count. */
hd_check_traffic hd_check_traffic_global(const hd_check_request *request);

/* 32 banks of 4 bytes. Accesses of up to 4, 8 and 16 bytes go in phases of 32, 16 and 8 lanes,
   larger ones in pieces of 16 bytes. The same word is read once for all. */
hd_check_traffic hd_check_traffic_shared(const hd_check_request *request);

#endif
