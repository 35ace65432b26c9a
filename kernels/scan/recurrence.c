/* SPDX-License-Identifier: Apache-2.0 */
/* recurrence.c - v[i] = s[i] v[i-1] + u[i] as a scan of maps x -> first x + second under
   composition, and running weighted averages as a scan of two sums. Launch: as scan.c. Memory: 3
   elements per result. */
#include <heddle/kernel.h>

#include "recurrence.h"

#include <heddle/detail/scan_memory.inc>

#define REC_PAIR_SECOND(a, b) (b)
#define REC_JOIN_FIRST(a, b) ((b).first * (a).first)
#define REC_JOIN_SECOND(a, b) ((b).first * (a).second + (b).second)
#define REC_RESULT(p) ((p).second)
#define REC_FADES 1
#define REC_GUARDS 1

#define REC_T float
#define REC_LANES f32
#define REC_FINISH(v) ((v) != (v) ? hd_f32_from_bits(HD_F32_NAN_BITS) : (v))
#define REC_MINUTE 0x1p-100f
#define REC_ABS(x) fabsf(x)
#define REC_LEAST 0x1p-126f
#define REC_KEEPS 0.85f
#define REC_ABSORBED 0x1p-104f
#define REC_NAN hd_f32_from_bits(HD_F32_NAN_BITS)
#define REC_MASK i32
#define REC_NAME hd__recurrence_f32
#include "recurrence.inc"
#undef REC_MINUTE
#undef REC_ABS
#undef REC_LEAST
#undef REC_KEEPS
#undef REC_ABSORBED
#undef REC_NAN
#undef REC_MASK
#undef REC_T
#undef REC_LANES
#undef REC_FINISH

#define REC_T double
#define REC_LANES f64
#define REC_FINISH(v) ((v) != (v) ? hd_f64_from_bits(HD_F64_NAN_BITS) : (v))
#define REC_MINUTE 0x1p-900
#define REC_ABS(x) fabs(x)
#define REC_LEAST 0x1p-1022
#define REC_KEEPS 0.07
#define REC_ABSORBED 0x1p-972
#define REC_NAN hd_f64_from_bits(HD_F64_NAN_BITS)
#define REC_MASK i64
#define REC_NAME hd__recurrence_f64
#include "recurrence.inc"

#undef REC_JOIN_FIRST
#undef REC_JOIN_SECOND
#undef REC_RESULT
#undef REC_FADES
#undef REC_GUARDS
#define REC_PAIR_FIRST(a, b) ((a) * (b))
#define REC_JOIN_FIRST(a, b) ((a).first + (b).first)
#define REC_JOIN_SECOND(a, b) ((a).second + (b).second)
#define REC_RESULT(p) ((p).first / (p).second)
#define REC_FADES 0
#define REC_GUARDS 0

#define REC_NAME hd__average_f64
#include "recurrence.inc"
#undef REC_T
#undef REC_LANES
#undef REC_FINISH

#define REC_T float
#define REC_LANES f32
#define REC_FINISH(v) ((v) != (v) ? hd_f32_from_bits(HD_F32_NAN_BITS) : (v))
#define REC_NAME hd__average_f32
#include "recurrence.inc"
