/* SPDX-License-Identifier: Apache-2.0 */
/* sort_small.c - the radix sort of few keys: one block, all passes. */
#include "sort_block.h"

#define SO_NAME_(a, b) a##_##b
#define SO_NAME(a, b) SO_NAME_(a, b)
#define SO_NAME3_(a, b, c) a##_##b##_##c
#define SO_NAME3(a, b, c) SO_NAME3_(a, b, c)
#define K(name) SO_NAME(name, SO_KEY_BYTES)
#define S(name) SO_NAME3(name, SO_KEY_BYTES, SO_VALUE_BYTES)
#define SO_ITEMS HD__SORT_SMALL_ITEMS

#define SO_KEY_BYTES 4
#define SO_KEY uint32_t
#include "sort_keys.inc"
#define SO_VALUE_BYTES 0
#include "sort_small.inc"
#define SO_VALUE_BYTES 4
#define SO_VALUE uint32_t
#include "sort_small.inc"
#define SO_VALUE_BYTES 8
#define SO_VALUE uint64_t
#include "sort_small.inc"
#undef SO_KEY
#undef SO_KEY_BYTES

#define SO_KEY_BYTES 8
#define SO_KEY uint64_t
#include "sort_keys.inc"
#define SO_VALUE_BYTES 0
#include "sort_small.inc"
#define SO_VALUE_BYTES 4
#define SO_VALUE uint32_t
#include "sort_small.inc"
#define SO_VALUE_BYTES 8
#define SO_VALUE uint64_t
#include "sort_small.inc"
