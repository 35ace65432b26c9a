/* SPDX-License-Identifier: Apache-2.0 */
/* switch.h - stacks of threads and the switch between them.

   hd_cpu_switch(save, load) is declared in cpu_block.h, because kernels call it. `save` is
   &fiber->sp of the fiber that is left, `load` is HD_CPU_TARGET(fiber) of the one to continue. */
#ifndef HEDDLE_CPU_FIBER_SWITCH_H
#define HEDDLE_CPU_FIBER_SWITCH_H

#include <heddle/backend/cpu_block.h>

#include "core/sanitizer.h"

#if defined(HD_CPU_UCONTEXT) || defined(HD_CPU_SWITCH_UCONTEXT) ||                                 \
    !(defined(__x86_64__) || defined(__aarch64__))
#define HD_CPU_SWITCH_BY_UCONTEXT 1
#include <ucontext.h>
#else
#define HD_CPU_SWITCH_BY_UCONTEXT 0
#endif

/* A stack that can run threads of a block. This struct is at the top of its memory. */
typedef struct hd_cpu_fiber {
    void *sp; /* first, see hd_cpu_switch */
    struct hd_cpu_fiber *next;
    char *base; /* lowest usable address */
    size_t bytes;
    int guarded; /* there is a guard page below it */
#if HD_CPU_SWITCH_BY_UCONTEXT
    ucontext_t context;
#endif
#if HD_CPU_ASAN
    void *fake_stack;
#endif
#if HD_CPU_TSAN
    void *sanitizer; /* ThreadSanitizer's handle of the fiber */
#endif
} hd_cpu_fiber;

/* 1 if the switch needs more than the stack pointer: it is then passed fibers. */
#define HD_CPU_SWITCH_WRAPPED (HD_CPU_SWITCH_BY_UCONTEXT || HD_CPU_ASAN || HD_CPU_TSAN)
#if HD_CPU_SWITCH_WRAPPED
#define HD_CPU_TARGET(fiber) ((void *)(fiber))
#else
#define HD_CPU_TARGET(fiber) ((fiber)->sp)
#endif

/* Makes the fiber start in entry() with an empty stack at the next switch to it. */
void hd_cpu_fiber_prepare(hd_cpu_fiber *fiber, void (*entry)(void));
/* To be called first in entry(): informs AddressSanitizer; `from` is the fiber that was left. */
void hd_cpu_fiber_entered(hd_cpu_fiber *from);

#endif
