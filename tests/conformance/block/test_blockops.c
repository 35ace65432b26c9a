/* SPDX-License-Identifier: Apache-2.0 */
/* test_blockops.c - operations over warps and blocks, bit by bit against the documented trees. */
#include <math.h>

#include "blockops.h"
#include "rig.h"

enum { MAX_THREADS = 1024 };

#define T int32_t
#define TS i32
#define NAME "i32"
#define ADD(a, b) ((T)((uint64_t)(a) + (uint64_t)(b)))
#define IS_FLOAT 0
#include "blockops_model.inc"
#define T uint32_t
#define TS u32
#define NAME "u32"
#define ADD(a, b) ((T)((uint64_t)(a) + (uint64_t)(b)))
#define IS_FLOAT 0
#include "blockops_model.inc"
#define T int64_t
#define TS i64
#define NAME "i64"
#define ADD(a, b) ((T)((uint64_t)(a) + (uint64_t)(b)))
#define IS_FLOAT 0
#include "blockops_model.inc"
#define T uint64_t
#define TS u64
#define NAME "u64"
#define ADD(a, b) ((T)((uint64_t)(a) + (uint64_t)(b)))
#define IS_FLOAT 0
#include "blockops_model.inc"
#define T long long
#define TS ll
#define NAME "ll"
#define ADD(a, b) ((T)((uint64_t)(a) + (uint64_t)(b)))
#define IS_FLOAT 0
#include "blockops_model.inc"
#define T unsigned long long
#define TS ull
#define NAME "ull"
#define ADD(a, b) ((T)((uint64_t)(a) + (uint64_t)(b)))
#define IS_FLOAT 0
#include "blockops_model.inc"
#define T float
#define TS f32
#define NAME "f32"
#define ADD(a, b) ((a) + (b))
#define IS_FLOAT 1
#include "blockops_model.inc"
#define T double
#define TS f64
#define NAME "f64"
#define ADD(a, b) ((a) + (b))
#define IS_FLOAT 1
#include "blockops_model.inc"

TEST_MAIN
