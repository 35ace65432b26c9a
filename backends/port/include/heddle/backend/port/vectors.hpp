/* SPDX-License-Identifier: Apache-2.0 */
/* vectors.hpp - the vector types of CUDA's names, with its sizes and alignments. */
#ifndef HEDDLE_BACKEND_PORT_VECTORS_HPP
#define HEDDLE_BACKEND_PORT_VECTORS_HPP

#define HD_PORT_VECTORS_(T, name, align2, align4)                                                  \
    struct name##1                                                                                 \
    {                                                                                              \
        T x;                                                                                       \
    };                                                                                             \
    struct alignas(align2) name##2                                                                 \
    {                                                                                              \
        T x, y;                                                                                    \
    };                                                                                             \
    struct name##3                                                                                 \
    {                                                                                              \
        T x, y, z;                                                                                 \
    };                                                                                             \
    struct alignas(align4) name##4                                                                 \
    {                                                                                              \
        T x, y, z, w;                                                                              \
    };                                                                                             \
    static inline HD_UNUSED_ name##1 make_##name##1(T x)                                           \
    {                                                                                              \
        return {x};                                                                                \
    }                                                                                              \
    static inline HD_UNUSED_ name##2 make_##name##2(T x, T y)                                      \
    {                                                                                              \
        return {x, y};                                                                             \
    }                                                                                              \
    static inline HD_UNUSED_ name##3 make_##name##3(T x, T y, T z)                                 \
    {                                                                                              \
        return {x, y, z};                                                                          \
    }                                                                                              \
    static inline HD_UNUSED_ name##4 make_##name##4(T x, T y, T z, T w)                            \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }
HD_PORT_VECTORS_(signed char, char, 2, 4)
HD_PORT_VECTORS_(unsigned char, uchar, 2, 4)
HD_PORT_VECTORS_(short, short, 4, 8)
HD_PORT_VECTORS_(unsigned short, ushort, 4, 8)
HD_PORT_VECTORS_(int, int, 8, 16)
HD_PORT_VECTORS_(unsigned, uint, 8, 16)
HD_PORT_VECTORS_(long, long, 16, 16)
HD_PORT_VECTORS_(unsigned long, ulong, 16, 16)
HD_PORT_VECTORS_(long long, longlong, 16, 16)
HD_PORT_VECTORS_(unsigned long long, ulonglong, 16, 16)
HD_PORT_VECTORS_(float, float, 8, 16)
HD_PORT_VECTORS_(double, double, 16, 16)
#undef HD_PORT_VECTORS_

#ifndef HD_PORT_OWN_DIM3_ /* the backend defines it */
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned nx = 1, unsigned ny = 1, unsigned nz = 1) : x(nx), y(ny), z(nz)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    constexpr operator uint3() const
    {
        return {x, y, z};
    }
};
#endif

#endif
