/* SPDX-License-Identifier: Apache-2.0 */
/* kern_look_back.c - look-backs of four types, one of them not commutative and of three words. */
#include <heddle/kernel.h>

#include "kern_look_back.h"

#define HD_LOOK_BACK_NAME(name) HD_CAT(name, _u32)
#define HD_LOOK_BACK_T uint32_t
#define HD_LOOK_BACK_JOIN(a, b) ((a) + (b))
#include <heddle/device/look_back.inc>
#define LOOK(name) HD_CAT(name, _u32)
#define LOOK_T uint32_t
#include "kern_look_back.inc"

#define HD_LOOK_BACK_NAME(name) HD_CAT(name, _u64)
#define HD_LOOK_BACK_T uint64_t
#define HD_LOOK_BACK_JOIN(a, b) ((a) + (b))
#include <heddle/device/look_back.inc>
#define LOOK(name) HD_CAT(name, _u64)
#define LOOK_T uint64_t
#include "kern_look_back.inc"

#define HD_LOOK_BACK_NAME(name) HD_CAT(name, _f32)
#define HD_LOOK_BACK_T float
#define HD_LOOK_BACK_JOIN(a, b) ((a) + (b))
#include <heddle/device/look_back.inc>
#define LOOK(name) HD_CAT(name, _f32)
#define LOOK_T float
#include "kern_look_back.inc"

#define HD_LOOK_BACK_NAME(name) HD_CAT(name, _map)
#define HD_LOOK_BACK_T look_map
#define HD_LOOK_BACK_JOIN(a, b) look_map_join(a, b)
#include <heddle/device/look_back.inc>
#define LOOK(name) HD_CAT(name, _map)
#define LOOK_T look_map
#include "kern_look_back.inc"
