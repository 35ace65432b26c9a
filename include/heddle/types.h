/* SPDX-License-Identifier: Apache-2.0 */
/* types.h - the types and arithmetic that host and kernels share. Plain C11 and C++17, knows no
   vendor header; every function may be called on either side and gives the same bits there. */
#ifndef HEDDLE_TYPES_H
#define HEDDLE_TYPES_H

#include <heddle/bits.h>
#include <heddle/complex.h>
#include <heddle/dd.h>
#include <heddle/half.h>
#include <heddle/mask.h>
#include <heddle/minmax.h>
#include <heddle/vector.h>

#endif
