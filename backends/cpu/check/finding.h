/* SPDX-License-Identifier: Apache-2.0 */
/* finding.h - findings: how the rules make them, and where they go. */
#ifndef HEDDLE_CPU_CHECK_FINDING_H
#define HEDDLE_CPU_CHECK_FINDING_H

#include "check/codes.h"
#include "observe.h"
#include "check/shadow.h"

enum { HD_CHECK_STACK = 16 }; /* return addresses kept of a call in host code */

typedef struct hd_check_op hd_check_op;

enum { HD_CHECK_SIDES = 2 };

/* One of the two sides of a finding. */
typedef struct hd_check_side {
    const char *verb;      /* "reads", "writes", "adds atomically", "waits in hd_sync_block" */
    const hd_check_op *op; /* NULL: host code */
    uint32_t block;        /* linear in the grid */
    unsigned thread;       /* linear in the block; ~0u: none in particular */
    uintptr_t pc;          /* 0: file and line are given, or there is no place */
    const char *file;
    int line;
    uintptr_t stack[HD_CHECK_STACK]; /* of host code, instead of pc */
} hd_check_side;

typedef struct hd_check_finding {
    hd_check_code code;
    hd_check_side side[HD_CHECK_SIDES]; /* the second may be empty: verb NULL */
    char object[256];                   /* the array or allocation, "" if none */
    char detail[256];                   /* one more sentence, "" if none */
} hd_check_finding;

/* Findings about the kernel that are no errors count: a program cannot change heddle's own
   kernels. */
int hd_check_judged(const hd_kernel *kernel);
/* Keeps and prints the finding unless one with the same code, kernel and places is known or
   suppressed; counts it. Called by any OS thread, with or without hd_check_lock; a kernel's thread
   may call it on its own stack. */
void hd_check_report(const hd_check_finding *finding);
/* The running thread's finding with these two places (0: no second one) is known: counts it, 1.
   Saves the work of describing it again. */
int hd_check_again(hd_check_code code, uintptr_t pc, uintptr_t other_pc);
/* Calls the function at the end of the program, before the summary is printed: what only shows then
   (leaks, tables). In the order of these calls; at most 8. */
void hd_check_at_exit(void (*function)(void));
/* A finding whose first side is the running thread of a kernel at `pc`. */
hd_check_finding hd_check_finding_here(hd_check_code code, const char *verb, uintptr_t pc);
/* The side that a record stands for. */
hd_check_side hd_check_side_of(const hd_check_record *record, hd_check_access kind);
/* Describes what lies at the address: shared array, allocation with argument number, ... */
void hd_check_describe(uintptr_t address, char *text, size_t size);
/* The same as a thread of the block sees it. */
void hd_check_describe_of(const hd_cpu_resident *block, uintptr_t address, char *text, size_t size);
void hd_check_report_start(void); /* reads suppressions, opens the report */

/* One more line of JSON for the report file; without its line feed. */
void hd_check_report_line(const char *json);

/* A launch is enqueued by the calling thread (argument.c). */
void hd_check_launched(hd_check_op *op);
/* What it is that the running kernel uses an address outside the region; *side: who took the memory
   away, if that is known. */
hd_check_code hd_check_outside(uintptr_t address, hd_check_side *side);

/* Places in code as 32 bits and back; 0 is no place. */
uint32_t hd_check_place_of(uintptr_t pc);
uintptr_t hd_check_place_pc(uint32_t place);
/* File, line and function of a return address; the strings live for good. 0 if nothing is known:
   then *file is the module and *line 0. */
int hd_check_locate(uintptr_t pc, const char **file, int *line, const char **function);
/* The return addresses of the calling thread, 0 behind the last. */
void hd_check_stack(uintptr_t stack[HD_CHECK_STACK]);

#endif
