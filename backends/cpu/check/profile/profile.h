/* SPDX-License-Identifier: Apache-2.0 */
/* profile.h - data of the profile: sites (instructions and branch targets of a kernel) with the
   cost of their executions, and kernels. profile.c records sampled blocks, sample.c combines the
   lanes of a warp, table.c reports. */
#ifndef HEDDLE_CPU_CHECK_PROFILE_H
#define HEDDLE_CPU_CHECK_PROFILE_H

#include "check/check.h"
#include "traffic.h"

enum {
    HD_CHECK_SHARED_SITE = 4, /* added to hd_check_access */
    HD_CHECK_BRANCH = 3
};

typedef struct hd_check_profiled { /* a kernel */
    struct hd_check_profiled *next;
    const hd_kernel *kernel;
    uint32_t sites;            /* first site */
    unsigned launches, blocks; /* blocks: sampled ones */
    unsigned last_launch, in_launch;
    unsigned long long seen; /* blocks started */
    unsigned long long work; /* work of warps after branches */
    double idle, split;      /* part of it lost to inactive lanes; to lanes in another branch */
    int reported;
    int counting; /* between hd_check_count_start and _stop: every block is sampled */
} hd_check_profiled;

typedef struct hd_check_site {
    hd_check_profiled *kernel;
    uintptr_t pc;
    unsigned what;
    uint32_t next;   /* of the same kernel */
    uint32_t loop;   /* branch target: first site of its innermost loop; 0: none */
    int begins_loop; /* a lane came to it again before any older target */
    int reported;
    unsigned long long requests, lanes, slots; /* slots: lanes that could have been active */
    unsigned long long transactions, ideal, lines, words;
    unsigned degree;
    unsigned long long busy_transactions, busy_ideal; /* of requests by half a warp or more */
    double idle, split;
    unsigned launch, worst; /* most expensive request of operation `launch`: */
    uint32_t block;
    unsigned thread;
    uintptr_t address;
} hd_check_site;

typedef struct hd_check_event {
    uint64_t address;
    uint32_t site;
    uint16_t bytes; /* 0: a branch */
} hd_check_event;

typedef struct hd_check_log { /* of one thread since its warp last met */
    hd_check_event *events;
    unsigned count, room;
} hd_check_log;

/* A sampled block. */
typedef struct hd_check_sample {
    hd_cpu_resident *block; /* NULL: not in use */
    hd_check_profiled *kernel;
    struct hd_check_sample *next;
    hd_check_log log[HD_CPU_MAX_THREADS];
} hd_check_sample;

extern hd_check_profiled *hd_check_profiled_kernels;
extern hd_check_site *hd_check_sites; /* indices start at 1 */
extern unsigned hd_check_site_count;

/* NULL: out of memory. */
hd_check_profiled *hd_check_profiled_of(const hd_kernel *kernel);
/* The number of the site; 0: out of memory. */
uint32_t hd_check_site_of(hd_check_profiled *kernel, uintptr_t pc, unsigned what);

/* Adds the events of a warp's lanes since they last met, and empties their logs. */
void hd_check_sample_take(hd_check_sample *sample, unsigned warp);
/* Reports performance findings for the block's kernel from the data so far. */
void hd_check_profile_judge(hd_check_sample *sample);
/* Prints the table of HEDDLE_CHECK_PROFILE=1, and its lines in the report. */
void hd_check_profile_print(void);

#endif
