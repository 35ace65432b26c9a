/* SPDX-License-Identifier: Apache-2.0 */
/* profile.h - what the profile keeps: sites (instructions and branch targets of a kernel) with what
   their executions cost, and kernels. profile.c fills it from sampled blocks, sample.c
   combines the lanes of a warp, table.c reports. */
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
    uint32_t sites;            /* the first of them */
    unsigned launches, blocks; /* blocks looked at */
    unsigned last_launch, in_launch;
    unsigned long long seen; /* blocks started */
    unsigned long long work; /* that warps did behind branches */
    double idle, split;      /* of that, what was lost by lanes that did not take part; in `split`
                                others of the warp went another way */
    int told;
} hd_check_profiled;

typedef struct hd_check_site {
    hd_check_profiled *kernel;
    uintptr_t pc;
    unsigned what;
    uint32_t next;   /* of the same kernel */
    uint32_t loop;   /* of a branch target: the site that begins its innermost loop; 0: none */
    int begins_loop; /* it was seen again before anything that came before it */
    int told;
    unsigned long long requests, lanes, slots; /* slots: lanes that could have taken part */
    unsigned long long transactions, ideal, lines;
    unsigned degree;
    unsigned long long busy_transactions, busy_ideal; /* of requests of half a warp or more */
    double idle, split;
    unsigned launch, worst; /* the costliest request of the operation with this number: */
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

/* A block that is looked at. */
typedef struct hd_check_sample {
    hd_cpu_resident *block; /* NULL: not in use */
    hd_check_profiled *kernel;
    struct hd_check_sample *next;
    hd_check_log log[HD_CPU_MAX_THREADS];
} hd_check_sample;

extern hd_check_profiled *hd_check_profiled_kernels;
extern hd_check_site *hd_check_sites; /* from 1 */
extern unsigned hd_check_site_count;

/* NULL: no memory. */
hd_check_profiled *hd_check_profiled_of(const hd_kernel *kernel);
/* The number of the site; 0: no memory. */
uint32_t hd_check_site_of(hd_check_profiled *kernel, uintptr_t pc, unsigned what);

/* Adds what the lanes of a warp did since they last met, and empties their logs. */
void hd_check_sample_take(hd_check_sample *sample, unsigned warp);
/* Reports what the block's kernel does badly, by what is known until now. */
void hd_check_profile_judge(hd_check_sample *sample);
/* The table of HEDDLE_CHECK_PROFILE=1, and its lines in the report. */
void hd_check_profile_print(void);

#endif
