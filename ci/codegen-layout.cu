// SPDX-License-Identifier: Apache-2.0
// The short vectors of <heddle/device/vector_types.h> are laid out as CUDA's: compiled by codegen.sh.
#include <cstddef>
#include <cuda_runtime.h>
#include <heddle/types.h>

#define SAME_2(ours, theirs)                                                                       \
    static_assert(sizeof(ours) == sizeof(theirs), #ours " has another size than " #theirs);        \
    static_assert(alignof(ours) == alignof(theirs), #ours " is aligned otherwise than " #theirs);  \
    static_assert(sizeof(ours::x) == sizeof(theirs::x), #ours " has other elements");              \
    static_assert(offsetof(ours, y) == offsetof(theirs, y), #ours "::y is elsewhere");
#define SAME_3(ours, theirs)                                                                       \
    SAME_2(ours, theirs)                                                                           \
    static_assert(offsetof(ours, z) == offsetof(theirs, z), #ours "::z is elsewhere");
#define SAME_4(ours, theirs)                                                                       \
    SAME_3(ours, theirs)                                                                           \
    static_assert(offsetof(ours, w) == offsetof(theirs, w), #ours "::w is elsewhere");
#define SAME(ours, theirs)                                                                         \
    SAME_2(hd_##ours##x2, theirs##2)                                                               \
    SAME_3(hd_##ours##x3, theirs##3)                                                               \
    SAME_4(hd_##ours##x4, theirs##4)

SAME(f32, float)
SAME(i8, char)
SAME(u8, uchar)
SAME(i16, short)
SAME(u16, ushort)
SAME(i32, int)
SAME(u32, uint)
SAME_2(hd_f64x2, double2)
SAME_3(hd_f64x3, double3)
#if CUDART_VERSION >= 13000
SAME_4(hd_f64x4, double4_16a)
#else
SAME_4(hd_f64x4, double4)
#endif
SAME_2(hd_i64x2, longlong2)
SAME_2(hd_u64x2, ulonglong2)
