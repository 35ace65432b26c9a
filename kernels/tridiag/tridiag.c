/* SPDX-License-Identifier: Apache-2.0 */
/* tridiag.c - tridiagonal systems in f32 and f64. */
#include <heddle/kernel.h>

#include "tridiag.h"

#define TRI_NAME_(a, b) a##_##b
#define TRI_NAME(a, b) TRI_NAME_(a, b)
/* Appends the type to a name. */
#define TYPED(name) TRI_NAME(name, TRI_TYPE)
/* Appends the chunk length and the type. */
#define OF_KIND(name) TRI_NAME(TRI_NAME(name, TRI_KIND), TRI_TYPE)

#if HD_SERIAL_THREADS
#include <heddle/backend/lanes.h>

/* Appends the vector type. */
#define OF_LANES(name) TRI_NAME(name, TRI_NAME(lanes, TRI_TYPE))

#define TRI_TYPE lanes_f32
#define TRI_ELEM hd_lanes_f32
#include "steps.inc"
#undef TRI_TYPE
#undef TRI_ELEM

#define TRI_TYPE lanes_f64
#define TRI_ELEM hd_lanes_f64
#include "steps.inc"
#undef TRI_TYPE
#undef TRI_ELEM
#endif

/* ---- f32 ---- */
#define TRI_TYPE f32
#define TRI_ELEM float
#define TRI_BYTES 4
#define TRI_VEC 4
#define TRI_WIDE hd_f32x4
#include "type.inc"
#undef TRI_TYPE
#undef TRI_ELEM
#undef TRI_BYTES
#undef TRI_VEC
#undef TRI_WIDE

/* ---- f64 ---- */
#define TRI_TYPE f64
#define TRI_ELEM double
#define TRI_BYTES 8
#define TRI_VEC 2
#define TRI_WIDE hd_f64x2
#include "type.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__tridiag_warp_f32)
HD_INSTANCE(hd__tridiag_block_f32)
HD_INSTANCE(hd__tridiag_reduce_short_f32)
HD_INSTANCE(hd__tridiag_substitute_short_f32)
HD_INSTANCE(hd__tridiag_lanes_f32)
HD_INSTANCE(hd__tridiag_team_f32)
HD_INSTANCE(hd__tridiag_reduce_long_f32)
HD_INSTANCE(hd__tridiag_substitute_long_f32)
HD_INSTANCE(hd__tridiag_shuffle_f32)
HD_INSTANCE(hd__tridiag_shared_f32)
HD_INSTANCE(hd__tridiag_thomas_f32)
HD_INSTANCE(hd__tridiag_warp_f64)
HD_INSTANCE(hd__tridiag_block_f64)
HD_INSTANCE(hd__tridiag_reduce_short_f64)
HD_INSTANCE(hd__tridiag_substitute_short_f64)
HD_INSTANCE(hd__tridiag_lanes_f64)
HD_INSTANCE(hd__tridiag_team_f64)
HD_INSTANCE(hd__tridiag_reduce_long_f64)
HD_INSTANCE(hd__tridiag_substitute_long_f64)
HD_INSTANCE(hd__tridiag_shuffle_f64)
HD_INSTANCE(hd__tridiag_shared_f64)
HD_INSTANCE(hd__tridiag_thomas_f64)
