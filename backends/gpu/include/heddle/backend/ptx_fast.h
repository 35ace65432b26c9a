/* SPDX-License-Identifier: Apache-2.0 */
/* ptx_fast.h - approximating instructions and clocks of NVIDIA hardware; included by
   ptx_dialect.h. */
#ifndef HEDDLE_BACKEND_PTX_FAST_H
#define HEDDLE_BACKEND_PTX_FAST_H

#define HD_PTX_FAST_(name, instruction)                                                            \
    HD_DEVICE float hd_prim_fast_##name##_(float x)                                                \
    {                                                                                              \
        float result;                                                                              \
        asm(instruction ".approx.f32 %0, %1;" : "=f"(result) : "f"(x));                            \
        return result;                                                                             \
    }
HD_PTX_FAST_(exp2, "ex2")
HD_PTX_FAST_(log2, "lg2")
HD_PTX_FAST_(rcp, "rcp")
HD_PTX_FAST_(sqrt, "sqrt")
HD_PTX_FAST_(rsqrt, "rsqrt")
HD_PTX_FAST_(sin, "sin")
HD_PTX_FAST_(cos, "cos")
#undef HD_PTX_FAST_

HD_DEVICE float hd_prim_fast_div_(float x, float y)
{
    return __fdividef(x, y);
}

/* Clock cycles of the multiprocessor. */
HD_DEVICE uint64_t hd_clock(void)
{
    uint64_t cycles;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
    return cycles;
}
HD_DEVICE uint64_t hd_wall_clock(void)
{
    uint64_t nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds)::"memory");
    return nanoseconds;
}

#endif
