/* SPDX-License-Identifier: Apache-2.0 */
/* relax.h - what the body of a spin loop does. */
#ifndef HEDDLE_CPU_CORE_RELAX_H
#define HEDDLE_CPU_CORE_RELAX_H

#include <sched.h>
#include <time.h>

/* Yields execution resources to the core's other hardware thread, and ends the loop sooner after
   the value changes. */
static inline void hd_cpu_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Lets another thread run on this CPU. 1 if that took long: others then compete for the CPU, each
   further yield costs a time slice of theirs, and the caller should sleep, since a thread that is
   woken runs sooner than one that yields. */
static inline int hd_cpu_yield(void)
{
    enum { LONG_NS = 100000 };
    struct timespec from, to;

    (void)clock_gettime(CLOCK_MONOTONIC, &from);
    (void)sched_yield();
    (void)clock_gettime(CLOCK_MONOTONIC, &to);
    return (to.tv_sec - from.tv_sec) * 1000000000L + to.tv_nsec - from.tv_nsec > LONG_NS;
}

#endif
