/* SPDX-License-Identifier: Apache-2.0 */
/* vectors.h - the vector types of CUDA's names, with its sizes and alignments, in C11 and C++17. */
#ifndef HEDDLE_BACKEND_PORT_VECTORS_H
#define HEDDLE_BACKEND_PORT_VECTORS_H

#define HD_PORT_VECTORS_(T, name, align2, align4)                                                  \
    typedef struct name##1                                                                         \
    {                                                                                              \
        T x;                                                                                       \
    }                                                                                              \
    name##1;                                                                                       \
    typedef struct HD_ALIGN(align2) name##2                                                        \
    {                                                                                              \
        T x, y;                                                                                    \
    }                                                                                              \
    name##2;                                                                                       \
    typedef struct name##3                                                                         \
    {                                                                                              \
        T x, y, z;                                                                                 \
    }                                                                                              \
    name##3;                                                                                       \
    typedef struct HD_ALIGN(align4) name##4                                                        \
    {                                                                                              \
        T x, y, z, w;                                                                              \
    }                                                                                              \
    name##4;                                                                                       \
    static inline HD_UNUSED_ name##1 make_##name##1(T x)                                           \
    {                                                                                              \
        const name##1 v = {x};                                                                     \
        return v;                                                                                  \
    }                                                                                              \
    static inline HD_UNUSED_ name##2 make_##name##2(T x, T y)                                      \
    {                                                                                              \
        const name##2 v = {x, y};                                                                  \
        return v;                                                                                  \
    }                                                                                              \
    static inline HD_UNUSED_ name##3 make_##name##3(T x, T y, T z)                                 \
    {                                                                                              \
        const name##3 v = {x, y, z};                                                               \
        return v;                                                                                  \
    }                                                                                              \
    static inline HD_UNUSED_ name##4 make_##name##4(T x, T y, T z, T w)                            \
    {                                                                                              \
        const name##4 v = {x, y, z, w};                                                            \
        return v;                                                                                  \
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

#endif
