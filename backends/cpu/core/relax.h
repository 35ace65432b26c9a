/* SPDX-License-Identifier: Apache-2.0 */
/* relax.h - the instruction for the body of a spin loop. */
#ifndef HEDDLE_CPU_CORE_RELAX_H
#define HEDDLE_CPU_CORE_RELAX_H

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

#endif
