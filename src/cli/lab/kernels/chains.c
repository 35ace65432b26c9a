/* SPDX-License-Identifier: Apache-2.0 */
/* chains.c - multiply-adds in 1 to 8 independent chains per thread. */
#include <heddle/kernel.h>

#include "chains.h"

#define CHAINS_T float
#define CHAINS_FMA __builtin_fmaf
#define CHAINS_NAME chains_1
#define CHAINS 1
#include "chains.inc"

#define CHAINS_NAME chains_2
#define CHAINS 2
#include "chains.inc"

#define CHAINS_NAME chains_3
#define CHAINS 3
#include "chains.inc"

#define CHAINS_NAME chains_4
#define CHAINS 4
#include "chains.inc"

#define CHAINS_NAME chains_6
#define CHAINS 6
#include "chains.inc"

#define CHAINS_NAME chains_8
#define CHAINS 8
#include "chains.inc"

#undef CHAINS_T
#undef CHAINS_FMA
#define CHAINS_T double
#define CHAINS_FMA __builtin_fma
#define CHAINS_NAME chains_8_f64
#define CHAINS 8
#include "chains.inc"
