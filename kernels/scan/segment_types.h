/* SPDX-License-Identifier: Apache-2.0 */
/* segment_types.h - what the segmented scans need of a type and of an operation, by name:
     SEG_T_f32, SEG_WORD_f32       the C type; an unsigned integer of the same size
     SEG_REAL_f32                  1 for floats
     SEG_FINISH_f32(v)             the stored result: every NaN becomes the canonical NaN
   and for floats
     SEG_LEAST_f32, SEG_MAX_f32   -infinity and +infinity
     SEG_HEADS_f32, SEG_FLAGS_f32  vector type of signed integers of the same size; name of the
                                   vector type of unsigned ones
   and the pair hd__segment_f32 of a value and a flag: a segment begins among these elements. For an
   operation
     SEG_JOIN_sum(a, b)            combines two neighbours
     SEG_LANES_JOIN_sum(v, a, b, type)   the same for vectors (lanes.h)
     SEG_NOTHING_sum(type)         the identity
     SEG_WITHOUT_sum(ab, a)        for integers: some b with join(a, b) == ab
     SEG_EXACT_sum(real)           1 if the operation is associative for the type */
#ifndef HEDDLE_KERNELS_SCAN_SEGMENT_TYPES_H
#define HEDDLE_KERNELS_SCAN_SEGMENT_TYPES_H

#define SEG_T_i32 int32_t
#define SEG_WORD_i32 uint32_t
#define SEG_REAL_i32 0
#define SEG_FINISH_i32(v) (v)

#define SEG_T_i64 int64_t
#define SEG_WORD_i64 uint64_t
#define SEG_REAL_i64 0
#define SEG_FINISH_i64(v) (v)

#define SEG_T_u32 uint32_t
#define SEG_WORD_u32 uint32_t
#define SEG_REAL_u32 0
#define SEG_FINISH_u32(v) (v)

#define SEG_T_u64 uint64_t
#define SEG_WORD_u64 uint64_t
#define SEG_REAL_u64 0
#define SEG_FINISH_u64(v) (v)

#define SEG_T_f32 float
#define SEG_WORD_f32 uint32_t
#define SEG_REAL_f32 1
#define SEG_FINISH_f32(v) ((v) != (v) ? hd_f32_from_bits(HD_F32_NAN_BITS) : (v))
#define SEG_LEAST_f32 hd_f32_from_bits(0xff800000u)
#define SEG_MAX_f32 hd_f32_from_bits(0x7f800000u)
#define SEG_HEADS_f32 hd_lanes_i32
#define SEG_FLAGS_f32 u32

#define SEG_T_f64 double
#define SEG_WORD_f64 uint64_t
#define SEG_REAL_f64 1
#define SEG_FINISH_f64(v) ((v) != (v) ? hd_f64_from_bits(HD_F64_NAN_BITS) : (v))
#define SEG_LEAST_f64 hd_f64_from_bits(0xfff0000000000000u)
#define SEG_MAX_f64 hd_f64_from_bits(0x7ff0000000000000u)
#define SEG_HEADS_f64 hd_lanes_i64
#define SEG_FLAGS_f64 u64

#define SEG_JOIN_sum(a, b) ((a) + (b))
#define SEG_LANES_JOIN_sum(v, a, b, type) ((void)(*(v) = *(a) + *(b)))
#define SEG_NOTHING_sum(type) ((HD_CAT(SEG_T_, type)) - 0.0)
#define SEG_WITHOUT_sum(ab, a) ((ab) - (a))
#define SEG_EXACT_sum(real) !real

#define SEG_JOIN_min(a, b) hd_min(a, b)
#define SEG_LANES_JOIN_min(v, a, b, type) HD_CAT(hd_lanes_min_, type)(v, a, b)
#define SEG_NOTHING_min(type) HD_CAT(SEG_MAX_, type)
#define SEG_WITHOUT_min(ab, a) (ab)
#define SEG_EXACT_min(real) 1

#define SEG_JOIN_max(a, b) hd_max(a, b)
#define SEG_LANES_JOIN_max(v, a, b, type) HD_CAT(hd_lanes_max_, type)(v, a, b)
#define SEG_NOTHING_max(type) HD_CAT(SEG_LEAST_, type)
#define SEG_WITHOUT_max(ab, a) (ab)
#define SEG_EXACT_max(real) 1

typedef struct hd__segment_i32 {
    int32_t v;
    uint32_t head; /* a segment begins among these elements: v covers those from there on */
} hd__segment_i32;

typedef struct hd__segment_i64 {
    int64_t v;
    uint64_t head; /* a segment begins among these elements: v covers those from there on */
} hd__segment_i64;

typedef struct hd__segment_u32 {
    uint32_t v;
    uint32_t head; /* a segment begins among these elements: v covers those from there on */
} hd__segment_u32;

typedef struct hd__segment_u64 {
    uint64_t v;
    uint64_t head; /* a segment begins among these elements: v covers those from there on */
} hd__segment_u64;

typedef struct hd__segment_f32 {
    float v;
    uint32_t head; /* a segment begins among these elements: v covers those from there on */
} hd__segment_f32;

typedef struct hd__segment_f64 {
    double v;
    uint64_t head; /* a segment begins among these elements: v covers those from there on */
} hd__segment_f64;

#endif
