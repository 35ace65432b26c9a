/* SPDX-License-Identifier: Apache-2.0 */
/* kern_look_back.h - kernels that do nothing but look back: tile t has the value x[t]. */
#ifndef KERN_LOOK_BACK_H
#define KERN_LOOK_BACK_H

#include <heddle/device/look_back.h>

/* x -> m x + b modulo 2^32: composing maps is associative and depends on the order. */
typedef struct look_map {
    uint32_t m, b, third; /* the third is there to be a third */
} look_map;

HD_BOTH look_map look_map_join(look_map f, look_map g)
{
    look_map h;
    h.m = g.m * f.m;
    h.b = g.m * f.b + g.b;
    h.third = f.third + g.third;
    return h;
}

/* before[t]: what precedes tile t. */
HD_DECLARE(kern_look_back_u32, hd_look_back, const uint32_t *, uint32_t *, int)
HD_DECLARE(kern_look_back_u64, hd_look_back, const uint64_t *, uint64_t *, int)
HD_DECLARE(kern_look_back_f32, hd_look_back, const float *, float *, int)
HD_DECLARE(kern_look_back_map, hd_look_back, const look_map *, look_map *, int)

#endif
