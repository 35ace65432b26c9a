/* SPDX-License-Identifier: Apache-2.0 */
/* kern_shuffle_types.c - every shuffle of small types and structs. */
#include <heddle/kernel.h>

#include "shuffle.h"

#define T char
#define TS letter
#include "shuffle.inc"
#undef T
#undef TS
#define T int8_t
#define TS i8
#include "shuffle.inc"
#undef T
#undef TS
#define T uint8_t
#define TS u8
#include "shuffle.inc"
#undef T
#undef TS
#define T int16_t
#define TS i16
#include "shuffle.inc"
#undef T
#undef TS
#define T uint16_t
#define TS u16
#include "shuffle.inc"
#undef T
#undef TS
#define T bool
#define TS flag
#include "shuffle.inc"
#undef T
#undef TS
#define T hd_f16
#define TS f16
#include "shuffle.inc"
#undef T
#undef TS
#define T hd_bf16
#define TS bf16
#include "shuffle.inc"
#undef T
#undef TS
#define T hd_u8x3
#define TS u8x3
#include "shuffle.inc"
#undef T
#undef TS
#define T hd_f32x3
#define TS f32x3
#include "shuffle.inc"
#undef T
#undef TS
#define T hd_i16x3
#define TS i16x3
#include "shuffle.inc"
#undef T
#undef TS
#define T five_words
#define TS five
#include "shuffle.inc"
#undef T
#undef TS
#define T weighted_key
#define TS record
#include "shuffle.inc"
#undef T
#undef TS
#define T seven_bytes
#define TS bytes
#include "shuffle.inc"
#undef T
#undef TS
