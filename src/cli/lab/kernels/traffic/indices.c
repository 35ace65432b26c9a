/* SPDX-License-Identifier: Apache-2.0 */
/* indices.c - three operations in two widths. */
#include <heddle/kernel.h>

#include "indices.h"

#define INDICES_NAME indices_add_32
#define INDICES_T uint32_t
#define INDICES_OP INDICES_ADD
#include "indices.inc"

#define INDICES_NAME indices_add_64
#define INDICES_T uint64_t
#define INDICES_OP INDICES_ADD
#include "indices.inc"

#define INDICES_NAME indices_multiply_32
#define INDICES_T uint32_t
#define INDICES_OP INDICES_MULTIPLY
#include "indices.inc"

#define INDICES_NAME indices_multiply_64
#define INDICES_T uint64_t
#define INDICES_OP INDICES_MULTIPLY
#include "indices.inc"

#define INDICES_NAME indices_divide_32
#define INDICES_T uint32_t
#define INDICES_OP INDICES_DIVIDE
#include "indices.inc"

#define INDICES_NAME indices_divide_64
#define INDICES_T uint64_t
#define INDICES_OP INDICES_DIVIDE
#include "indices.inc"
