/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  The types and arithmetic that host and kernels share. Plain C11 and C++17, includes no vendor
 *  headers; every function may be called on either side and gives the same bits there.
 */
#ifndef HEDDLE_TYPES_H
#define HEDDLE_TYPES_H

#include <heddle/device/bits.h>
#include <heddle/device/complex.h>
#include <heddle/device/dd.h>
#include <heddle/device/half.h>
#include <heddle/device/mask.h>
#include <heddle/device/minmax.h>
#include <heddle/device/packed.h>
#include <heddle/device/vector.h>

#endif
