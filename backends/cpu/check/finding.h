/* SPDX-License-Identifier: Apache-2.0 */
/* finding.h - findings: how the rules create them and how they are reported. */
#ifndef HEDDLE_CPU_CHECK_FINDING_H
#define HEDDLE_CPU_CHECK_FINDING_H

#include "check/codes.h"
#include "observe.h"
#include "check/shadow.h"

enum { HD_CHECK_STACK = 16 }; /* return addresses kept per call in host code */

typedef struct hd_check_op hd_check_op;

enum { HD_CHECK_SIDES = 2 };

/* One of the two sides of a finding. */
typedef struct hd_check_side {
    const char *verb;      /* "reads", "writes", "adds atomically", "hd_sync_block" */
    const hd_check_op *op; /* NULL: host code */
    uint32_t block;        /* linear in the grid */
    unsigned thread;       /* linear in the block; ~0u: none in particular */
    uintptr_t pc;          /* 0: `file` and `line` are given, or there is no place */
    const char *file;
    int line;
    uintptr_t stack[HD_CHECK_STACK]; /* host code: call stack, instead of pc */
} hd_check_side;

typedef struct hd_check_finding {
    hd_check_code code;
    hd_check_side side[HD_CHECK_SIDES]; /* the second is optional: verb NULL */
    char object[256];                   /* the array or allocation; "" if none */
    char detail[256];                   /* one more sentence; "" if none */
} hd_check_finding;

/* Whether findings other than errors count for this kernel: a program cannot change heddle's own
   kernels. */
int hd_check_judged(const hd_kernel *kernel);
/* Stores and prints the finding, unless it is suppressed or one with the same code, kernel and
   places is known; counts it. Callable from any OS thread, with or without hd_check_lock, and on
   the stack of a kernel's thread. */
void hd_check_report(const hd_check_finding *finding);
/* Counts the running thread's finding and returns 1 if one with these two places (other_pc 0: only
   one) is known. Saves describing it again. */
int hd_check_again(hd_check_code code, uintptr_t pc, uintptr_t other_pc);
/* Calls the function at the end of the program, before the summary is printed, for findings that
   only appear then (leaks, tables). Functions run in the order of these calls; at most 8. */
void hd_check_at_exit(void (*function)(void));
/* A finding whose first side is the running thread of a kernel at `pc`. */
hd_check_finding hd_check_finding_here(hd_check_code code, const char *verb, uintptr_t pc);
/* The side of a finding for a record. */
hd_check_side hd_check_side_of(const hd_check_record *record, hd_check_access kind);
/* Describes the location of the address: shared array, allocation with argument number, etc. */
void hd_check_describe(uintptr_t address, char *text, size_t size);
/* Likewise, from the view of a thread of the block. */
void hd_check_describe_of(const hd_cpu_resident *block, uintptr_t address, char *text, size_t size);
void hd_check_report_start(void); /* reads suppressions, opens the report */

/* One more line of JSON for the report file; without its line feed. */
void hd_check_report_line(const char *json);

/* The calling thread enqueues a launch; its stack below `frame` is unused (argument.c). */
void hd_check_launched(hd_check_op *op, const void *frame);
/* The code for an address outside the region that the running kernel uses; *side: the operation or
   call that released the memory, if known. */
hd_check_code hd_check_outside(uintptr_t address, hd_check_side *side);

/* Code addresses as 32-bit places and back; 0: no place. */
uint32_t hd_check_place_of(uintptr_t pc);
uintptr_t hd_check_place_pc(uint32_t place);
/* File, line and function of a return address; the strings stay valid. 0: unknown; *file is then
   the module and *line 0. */
int hd_check_locate(uintptr_t pc, const char **file, int *line, const char **function);
/* Call stack of the calling thread, 0 after the last frame. */
void hd_check_stack(uintptr_t stack[HD_CHECK_STACK]);

#endif
