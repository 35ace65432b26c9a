/* SPDX-License-Identifier: Apache-2.0 */
/* modes.h - floating-point modes of kernels: round to nearest, subnormals on, exceptions masked.
   Modes and exception flags of the calling host thread are restored afterwards. */
#ifndef HEDDLE_CPU_BLOCK_MODES_H
#define HEDDLE_CPU_BLOCK_MODES_H

#if defined(__x86_64__)
/* MXCSR, the control and status register of SSE and AVX; x87 is not set because kernels have no
   long double. Writing MXCSR takes a few nanoseconds, fesetenv several times as long. */
typedef unsigned hd_cpu_modes;

enum { HD_CPU_MODES_DEFAULT = 0x1f80, HD_CPU_MODES_FLAGS = 0x3f };

static inline hd_cpu_modes hd_cpu_modes_enter(void)
{
    const unsigned found = __builtin_ia32_stmxcsr();

    if ((found & ~(unsigned)HD_CPU_MODES_FLAGS) != HD_CPU_MODES_DEFAULT)
        __builtin_ia32_ldmxcsr(HD_CPU_MODES_DEFAULT);
    return found;
}

static inline void hd_cpu_modes_leave(hd_cpu_modes found)
{
    if (__builtin_ia32_stmxcsr() != found)
        __builtin_ia32_ldmxcsr(found);
}
#else
#include <fenv.h>

typedef fenv_t hd_cpu_modes;

static inline hd_cpu_modes hd_cpu_modes_enter(void)
{
    hd_cpu_modes found;

    (void)fegetenv(&found);
    (void)fesetenv(FE_DFL_ENV);
    return found;
}

static inline void hd_cpu_modes_leave(hd_cpu_modes found)
{
    (void)fesetenv(&found);
}
#endif

#endif
